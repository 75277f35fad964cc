import type { DiffLine } from '../../explain/trace/object-diff.ts';

const spoken: Readonly<Record<DiffLine['sign'], string>> = { ' ': '', '+': 'added: ', '-': 'removed: ' };

/** Lines of YAML with what went and what came. */
export const DiffView = ({ lines }: { readonly lines: readonly DiffLine[] }) => (
  <pre class="diff" role="group" aria-label="Diff">
    {lines.map(({ sign, text, path }, at) => (
      <span key={at} class={sign === '+' ? 'line is-added' : sign === '-' ? 'line is-removed' : 'line'} title={path}>
        <span class="visually-hidden">{spoken[sign]}</span>
        {`${sign} ${text}\n`}
      </span>
    ))}
  </pre>
);
