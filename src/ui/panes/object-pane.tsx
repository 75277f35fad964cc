import { useMemo } from 'preact/hooks';
import { objectDiff } from '../../trace/object-diff.ts';
import type { Trace } from '../../trace/trace.ts';
import { yamlLines } from '../../trace/yaml-lines.ts';
import { DiffView } from './diff-view.tsx';

/** The object: what the request changed of it, and who set each field. */
export function ObjectPane({ trace }: { readonly trace: Trace }) {
  const { objectBefore, objectAfter } = trace;
  const diff = useMemo(
    () => objectDiff(objectBefore ?? undefined, objectAfter ?? undefined),
    [objectBefore, objectAfter],
  );
  return (
    <>
      {objectBefore !== null && objectAfter !== null && (
        <>
          <h3>What the request changed</h3>
          {diff.length === 0 ? <p class="quiet">Nothing.</p> : <DiffView lines={diff} />}
        </>
      )}
      {objectAfter !== null && <pre class="yaml">{yamlLines(objectAfter).join('\n')}</pre>}
    </>
  );
}
