import { useEffect, useState } from 'preact/hooks';
import type { Trace } from '../explain/trace/trace.ts';
import type { PageSource } from './page-source.ts';

export type TraceState =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly trace: Trace }
  | { readonly state: 'gone' };

/** The trace of a request; the last one stays until the next is there, so that nothing flickers. */
export function useTrace(source: PageSource, id: string, reveal: boolean): TraceState {
  const [state, setState] = useState<TraceState>({ state: 'loading' });
  useEffect(() => {
    let isCurrent = true;
    source.trace(id, reveal).then(
      (trace) => isCurrent && setState(trace ? { state: 'loaded', trace } : { state: 'gone' }),
      () => isCurrent && setState({ state: 'gone' }),
    );
    return () => {
      isCurrent = false;
    };
  }, [source, id, reveal]);
  return state;
}
