import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { FindingMark } from '../findings/mark.ts';
import type { NumberedSummary } from '../trace/trace-summary.ts';
import { isHousekeeping } from './housekeeping.ts';
import type { PageSource } from './page-source.ts';

/** How long rows are gathered that came into sight. */
const gatherMs = 120;
const mostKnown = 20_000;

/** The marks of the rows in sight, by sequence number, asked for once each; of refusals the row tells enough. */
export function useMarks(marks: PageSource['marks'], rows: readonly NumberedSummary[]): Marks {
  const known = useRef(new Map<number, FindingMark | undefined>());
  const wanted = useRef<readonly NumberedSummary[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [, drawAgain] = useReducer((version: number, _event: null) => version + 1, 0);
  wanted.current = rows.filter(
    (row) => row.verdict === 'admitted' && !isHousekeeping(row) && !known.current.has(row.sequence),
  );
  const ask = async (): Promise<void> => {
    const asked = wanted.current;
    if (known.current.size > mostKnown) known.current.clear();
    for (const { sequence } of asked) known.current.set(sequence, undefined);
    const found = await marks(asked.map(({ id }) => id));
    for (const { id, sequence } of asked) known.current.set(sequence, found.get(id));
    if (found.size > 0) drawAgain(null);
  };
  useEffect(() => {
    if (wanted.current.length === 0) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      // A list without marks is still a list.
      ask().catch(() => {});
    }, gatherMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return known.current;
}

type Marks = ReadonlyMap<number, FindingMark | undefined>;
