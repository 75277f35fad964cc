import { useEffect, useMemo, useReducer } from 'preact/hooks';
import type { NumberedSummary } from '../explain/trace/trace-summary.ts';
import { type Filter, filtered } from './filter.ts';
import { createMarkStore, type MarkStore } from './mark-store.ts';
import type { PageSource } from './page-source.ts';

interface Filtered {
  readonly rows: readonly NumberedSummary[];
  readonly marks: MarkStore;
  /** Number of requests whose findings are unknown. */
  readonly awaited: number;
}

/** The filtered rows, and the findings of rows; a filter by findings loads those of all rows. */
export function useFiltered(
  source: Pick<PageSource, 'marks'>,
  all: readonly NumberedSummary[],
  filter: Filter,
): Filtered {
  const marks = useMemo(() => createMarkStore(source.marks), [source]);
  const [version, drawAgain] = useReducer((before: number, _event: null) => before + 1, 0);
  useEffect(() => marks.onChanged(() => drawAgain(null)), [marks]);
  const isByMarks = filter.verdict === 'with findings';
  // Filters without findings ignore new findings.
  const rows = useMemo(
    () => filtered(all, filter, (row) => marks.markOf(row) !== undefined),
    [all, filter, isByMarks ? version : 0],
  );
  useEffect(() => {
    if (isByMarks) marks.want(filtered(all, filter));
  }, [all, filter, isByMarks, marks]);
  return { rows, marks, awaited: isByMarks ? marks.awaited() : 0 };
}
