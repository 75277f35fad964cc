import type { Trace } from '../trace/trace.ts';
import { actorText, isSameActor } from './actor.ts';
import { isCallee } from './conflicts.ts';
import { fieldWords, listWords } from './field-words.ts';
import { isAsked } from './late-items.ts';
import { readTrace } from './reading.ts';
import type { Reading, Turn } from './reading.ts';

/**
 * The changes that others made after the last call of each mutating webhook and policy, by the index of that call and
 * of its skip in the second round.
 */
export function unseenIn(trace: Trace): ReadonlyMap<number, string> {
  const reading = readTrace(trace);
  const unseen = new Map<number, string>();
  for (const turn of reading.turns) {
    if (turn.decision.phase !== 'mutating' || !isCallee(turn) || !isAsked(turn)) continue;
    const text = isLast(turn, reading) ? laterText(turn, reading) : '';
    if (text === '') continue;
    unseen.set(turn.at, text);
    const skip = reading.turns.find((one) => one.at > turn.at && isSameActor(one.actor, turn.actor));
    if (skip !== undefined) unseen.set(skip.at, text);
  }
  return unseen;
}

const isLast = ({ at, actor }: Turn, { turns }: Reading): boolean =>
  !turns.some((one) => one.at > at && isSameActor(one.actor, actor) && isAsked(one));

function laterText({ at, actor }: Turn, { turns }: Reading): string {
  const later = turns.filter(
    (one) => one.at > at && isCallee(one) && one.hasEffect && one.changes.length > 0 && !isSameActor(one.actor, actor),
  );
  const [first] = later;
  if (first === undefined) return '';
  const what = listWords(later.flatMap(({ changes }) => changes.map(({ path }) => fieldWords(path))));
  const others = new Set(later.map((one) => actorText(one.actor))).size - 1;
  return `${what} of ${actorText(first.actor)}${others === 0 ? '' : ' and others'}`;
}
