import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<Value> {
  /** undefined as long as the first one is on its way. */
  readonly value: Value | undefined;
  /** '' when the last load went well. */
  readonly problem: string;
  readonly again: () => void;
}

/** What `load` resolves with, loaded when the pane opens and whenever `again` is called. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [value, setValue] = useState<Value | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const asked = useRef(0);
  const again = useCallback(() => {
    asked.current += 1;
    const number = asked.current;
    load().then(
      (next) => {
        // An answer that was overtaken says what is no longer asked.
        if (number !== asked.current) return;
        setValue(next);
        setProblem('');
      },
      (error: unknown) => {
        if (number === asked.current) setProblem(error instanceof Error ? error.message : 'it could not be loaded');
      },
    );
  }, [load]);
  useEffect(again, [again]);
  return { value, problem, again };
}
