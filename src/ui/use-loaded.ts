import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Trace } from '../explain/trace/trace.ts';
import type { PageSource } from './page-source.ts';

export interface Loaded<Value> {
  /** undefined before the first response. */
  readonly value: Value | undefined;
  /** '' after a successful load. */
  readonly problem: string;
  readonly again: () => void;
}

/** Loads when the pane opens and whenever `again` is called. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [value, setValue] = useState<Value | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const loads = useRef(0);
  const again = useCallback(() => {
    loads.current += 1;
    const number = loads.current;
    load().then(
      (next) => {
        // A later load has replaced this one.
        if (number !== loads.current) return;
        setValue(next);
        setProblem('');
      },
      (error: unknown) => {
        if (number === loads.current) setProblem(error instanceof Error ? error.message : 'it could not be loaded');
      },
    );
  }, [load]);
  useEffect(again, [again]);
  return { value, problem, again };
}

export type TraceState =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly trace: Trace }
  | { readonly state: 'gone' };

/** The last trace stays until the next one is loaded, to avoid flicker. */
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

/** Loads again when the version changes. */
export function useReload(version: number, again: () => void): void {
  const known = useRef(version);
  useEffect(() => {
    if (version !== known.current) again();
    known.current = version;
  }, [version, again]);
}
