import type { Trace } from '../../explain/trace/trace.ts';
import { JsonView } from './json-view.tsx';

/** The whole trace document. */
export const DocumentPane = ({ trace }: { readonly trace: Trace }) => (
  <>
    <p class="quiet">The trace as kadmit keeps it; docs/trace-format.md describes its fields.</p>
    <JsonView value={trace} />
  </>
);
