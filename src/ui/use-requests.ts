import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { ConnectionState, PageSource } from './page-source.ts';
import { createRequestStore, type RequestStore } from './request-store.ts';

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
