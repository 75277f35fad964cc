import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { ConnectionState, PageSource } from './page-source.ts';
import { createRequestStore, type RequestStore } from './request-store.ts';
import { isWarningOrError } from '../explain/render/digest.ts';
import type { NumberedSummary } from '../explain/trace/trace-summary.ts';
import { type Filter, filterRequests } from './filter.ts';
import { createDigestStore, type DigestStore } from './digest-store.ts';

export interface LiveRequests {
  readonly store: RequestStore;
  readonly connection: ConnectionState;
  /** Counts changes of paused requests. */
  readonly breaksVersion: number;
}

/** Listens to the source, and renders again when the list has changed. */
export function useRequests(source: PageSource): LiveRequests {
  const store = useMemo(() => createRequestStore(), [source]);
  const [connection, setConnection] = useState<ConnectionState>('connecting');
  const [breaksVersion, breaksChanged] = useReducer((version: number, _event: null) => version + 1, 0);
  const [, drawAgain] = useReducer((version: number, _event: null) => version + 1, 0);
  useEffect(() => {
    const stopDrawing = store.onChanged(() => drawAgain(null));
    const unsubscribe = source.listen({
      onRequests: store.add,
      onOlderRequests: store.addOlder,
      connection: setConnection,
      breaksChanged: () => breaksChanged(null),
    });
    return () => {
      stopDrawing();
      unsubscribe();
    };
  }, [source, store]);
  return { store, connection, breaksVersion };
}

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
    () => filterRequests(all, filter, (row) => digests.get(row)?.findings.some(isWarningOrError) === true),
    [all, filter, isByFindings ? version : 0],
  );
  useEffect(() => {
    if (isByFindings) digests.want(filterRequests(all, filter));
  }, [all, filter, isByFindings, digests]);
  return { rows, digests, awaited: isByFindings ? digests.awaited() : 0 };
}
