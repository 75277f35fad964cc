import { useMemo, useState } from 'preact/hooks';
import type { JsonValue } from '../../machinery/json/json.ts';
import { blameOf, type FieldBlame, writerText } from '../../explain/trace/field-blame.ts';
import { objectDiff, yamlLines } from '../../explain/trace/object-diff.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { DiffView } from './json-view.tsx';
import { Part } from './pane-bar.tsx';

/** Changes of the request, the last writer of each field, and the whole object. */
export function ObjectPane({ trace }: { readonly trace: Trace }) {
  const { objectBefore, objectAfter } = trace;
  const diff = useMemo(
    () => objectDiff(objectBefore ?? undefined, objectAfter ?? undefined),
    [objectBefore, objectAfter],
  );
  if (objectAfter === null && objectBefore === null) return <p class="empty">The request has no object.</p>;
  return (
    <>
      {objectBefore !== null && objectAfter !== null && (
        <>
          <h3>What the request changed</h3>
          {diff.length === 0 ? <p class="quiet">Nothing.</p> : <DiffView lines={diff} />}
        </>
      )}
      <Blame trace={trace} />
      <Part title="The whole object, as YAML">
        {() => (
          <pre class="yaml" tabIndex={0}>
            {yamlLines(objectAfter ?? objectBefore ?? {}).join('\n')}
          </pre>
        )}
      </Part>
    </>
  );
}

function Blame({ trace }: { readonly trace: Trace }) {
  const fields = useMemo(() => blameOf(trace), [trace]);
  const [onlyChain, setOnlyChain] = useState(false);
  const abbreviate = onlyChain ? fields.filter(isByChain) : fields;
  return (
    <section>
      <h3>
        Who set each field last
        <label class="quiet">
          <input type="checkbox" checked={onlyChain} onChange={(event) => setOnlyChain(event.currentTarget.checked)} />
          {' only webhooks and plugins'}
        </label>
      </h3>
      <table class="blame">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Set by</th>
          </tr>
        </thead>
        <tbody>
          {abbreviate.map((field) => (
            <BlameRow key={field.path} field={field} />
          ))}
        </tbody>
      </table>
      {abbreviate.length === 0 && <p class="quiet">No field.</p>}
    </section>
  );
}

const isByChain = ({ by, previous }: FieldBlame): boolean =>
  [by, ...previous.map((one) => one.by)].some(({ type }) => type === 'webhook' || type === 'plugin');

function BlameRow({ field: { path, value, by, previous } }: { readonly field: FieldBlame }) {
  return (
    <tr class={`by-${by.type}`}>
      <th scope="row">{path.split(/(?<=[.\]])/).flatMap((part) => [part, <wbr />])}</th>
      <td>
        <code>{value === undefined ? <em>removed</em> : shown(value)}</code>
      </td>
      <td>
        {writerText(by)}
        {previous.toReversed().map((one, at) => (
          <div key={at} class="quiet">
            before: {one.value === undefined ? 'removed' : <code>{shown(one.value)}</code>} by {writerText(one.by)}
          </div>
        ))}
      </td>
    </tr>
  );
}

const maxLength = 200;

function shown(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
