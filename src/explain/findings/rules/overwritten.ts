import { pathText } from '../../trace/field-path.ts';
import { actorText } from '../actor.ts';
import { byTurns, conflictsOf, isFinal, isOfTwo } from '../conflicts.ts';
import type { Conflict } from '../conflicts.ts';
import { fieldWords, listWords, valueWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { isSamePath } from '../list-items.ts';
import { whyLater } from '../order-remedy.ts';
import type { Reading } from '../reading.ts';

/** Two webhooks or policies set one field to different values. */
export function overwritten(reading: Reading): readonly Finding[] {
  // Of several changes of a field, the last one is reported.
  const last = conflictsOf(reading).filter((one) => isOverwriting(one) && isFinal(one, reading));
  return byTurns(last).map(finding);
}

/** Changing a field inside an item that another webhook added is no conflict. */
const isOverwriting = (conflict: Conflict): boolean =>
  isOfTwo(conflict) &&
  conflict.how === 'changed' &&
  isSamePath(conflict.earlier.change.path, conflict.later.change.path);

function finding(all: readonly [Conflict, ...Conflict[]]): Finding {
  const [{ earlier, later }] = all;
  const by = later.turn ?? earlier.turn;
  const what = listWords(all.map((one) => fieldWords(one.later.change.path)));
  const [first, then] = [valueWords(earlier.change.after), valueWords(later.change.after)];
  const values = all.length === 1 ? `: ${first}, then ${then}` : '';
  return {
    rule: 'overwritten',
    severity: 'warning',
    title: `${what} was set by ${actorText(earlier.turn.actor)} and then by ${actorText(by.actor)}${values}`,
    where: { actors: [by.actor, earlier.turn.actor], fields: all.map((one) => pathText(one.later.change.path)) },
    evidence: [
      {
        text: `${actorText(by.actor)} has the last word on ${what}, since ${whyLater(earlier.turn.decision, by.decision)}`,
        decision: by.at,
      },
    ],
    remedy: `let only one of the two set ${what}, or let ${by.actor.name} keep a value that is there`,
  };
}
