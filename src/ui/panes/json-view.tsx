import { useState } from 'preact/hooks';
import type { DiffLine } from '../../explain/trace/object-diff.ts';

const token = /("(?:[^"\\]|\\[^])*"?)(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*\b/g;
const maxLength = 400_000;

/** Indented and coloured JSON with a copy button. */
export function JsonView({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div class="json">
      <CopyButton text={text} />
      <pre tabIndex={0}>{text.length > maxLength || typeof value === 'string' ? text : highlightJson(text)}</pre>
    </div>
  );
}

function highlightJson(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [matched, string, colon] = match;
    parts.push(text.slice(end, match.index));
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'field';
    parts.push(<span class={`json-${kind}`}>{string ?? matched}</span>, colon ?? '');
    end = match.index + matched.length;
  }
  return [...parts, text.slice(end)];
}

/** A page from disk may have no clipboard, and then no button. */
function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return null;
  const copy = (): void => {
    clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button type="button" class="plain copy" onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}

const signLabels: Readonly<Record<DiffLine['sign'], string>> = { ' ': '', '+': 'added: ', '-': 'removed: ' };

/** YAML with removed and added lines. */
export const DiffView = ({ lines }: { readonly lines: readonly DiffLine[] }) => (
  <pre class="diff" role="group" aria-label="Diff">
    {lines.map(({ sign, text, path }, at) => (
      <span key={at} class={sign === '+' ? 'line is-added' : sign === '-' ? 'line is-removed' : 'line'} title={path}>
        <span class="visually-hidden">{signLabels[sign]}</span>
        {`${sign} ${text}\n`}
      </span>
    ))}
  </pre>
);
