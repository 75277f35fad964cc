import { timesInTurns } from '../../apimachinery/in-turns.ts';
import type { Result } from '../value/value.ts';
import type { Frame } from './frame.ts';

/** Where a frame was after the last round that is done. */
interface Progress<S> {
  readonly state: S;
  cost: number;
  rounds: number;
  slot: Result;
  counts: readonly number[] | undefined;
}

/** From so many rounds on others may be let in; and in any loop of an expression that has cost so much. */
const manyRounds = 32;
const dear = 5_000;

/**
 * The rounds of a loop, until one is false, over what `start` makes for them; `slot` is what they write to. When others are
 * let in between two, the expression is begun again, and this loop goes on where it was: what it cost is paid once.
 */
export function runRounds<S extends object>(
  frame: Frame,
  { count, slot }: { readonly count: number; readonly slot: number | undefined },
  start: () => S,
  round: (state: S, at: number) => unknown,
): S {
  if (count < 2 || (count < manyRounds && frame.cost < dear)) {
    const state = start();
    for (let at = 0; at < count; at += 1) if (round(state, at) === false) break;
    return state;
  }
  const read = (): Result => (slot === undefined ? null : (frame.slots[slot] ?? null));
  const counted = frame.observe?.counts;
  const write = ({ cost, rounds, slot: value, counts }: Progress<S>): void => {
    frame.cost = cost;
    frame.rounds = rounds;
    if (slot !== undefined) frame.slots[slot] = value;
    if (counted !== undefined) Object.assign(counted, counts);
  };
  const begin = (): Progress<S> => ({
    state: start(),
    cost: frame.cost,
    rounds: frame.rounds,
    slot: read(),
    counts: counted?.slice(),
  });
  const progress = timesInTurns(count, begin, (last, at) => {
    write(last);
    const goesOn = round(last.state, at);
    last.cost = frame.cost;
    last.rounds = frame.rounds;
    last.slot = read();
    last.counts = counted?.slice();
    return goesOn;
  });
  write(progress);
  return progress.state;
}
