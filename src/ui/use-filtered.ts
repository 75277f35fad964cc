import { useEffect, useMemo, useReducer } from 'preact/hooks';
import { isWarningOrError } from '../explain/render/digest.ts';
import type { NumberedSummary } from '../explain/trace/trace-summary.ts';
import { type Filter, filtered } from './filter.ts';
import { createDigestStore, type DigestStore } from './digest-store.ts';
import type { PageSource } from './page-source.ts';

interface Filtered {
  readonly rows: readonly NumberedSummary[];
  readonly digests: DigestStore;
  /** Number of requests whose findings are unknown. */
  readonly awaited: number;
}

/** The filtered rows, and the digests of rows; a filter by findings loads those of all rows. */
export function useFiltered(
  source: Pick<PageSource, 'digests'>,
  all: readonly NumberedSummary[],
  filter: Filter,
): Filtered {
  const digests = useMemo(() => createDigestStore(source.digests), [source]);
  const [version, drawAgain] = useReducer((before: number, _event: null) => before + 1, 0);
  useEffect(() => digests.onChanged(() => drawAgain(null)), [digests]);
  const isByFindings = filter.verdict === 'with findings';
  // Filters without findings ignore new findings.
  const rows = useMemo(
    () => filtered(all, filter, (row) => digests.get(row)?.findings.some(isWarningOrError) === true),
    [all, filter, isByFindings ? version : 0],
  );
  useEffect(() => {
    if (isByFindings) digests.want(filtered(all, filter));
  }, [all, filter, isByFindings, digests]);
  return { rows, digests, awaited: isByFindings ? digests.awaited() : 0 };
}
