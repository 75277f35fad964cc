import { pathText } from '../../trace/field-path.ts';
import { actorText } from '../actor.ts';
import { byTurns, conflictsOf, isFinal, isOfTwo } from '../conflicts.ts';
import type { Conflict } from '../conflicts.ts';
import { fieldWords, listWords, valueWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { isItemOf } from '../list-items.ts';
import { whyLater } from '../order-remedy.ts';
import type { Reading } from '../reading.ts';
import { replacedBy } from '../whole-value-patch.ts';

/** One webhook or policy removed or reset what another one wrote. */
export const undone = (reading: Reading): readonly Finding[] =>
  byTurns(conflictsOf(reading).filter((one) => isUndoing(one) && isFinal(one, reading))).map(finding);

/** A replaced list has its own finding. */
const isUndoing = (conflict: Conflict): boolean =>
  isOfTwo(conflict) && (conflict.how === 'set-back' || (conflict.how === 'removed' && !isReplaced(conflict)));

const isReplaced = ({ later: { turn, change } }: Conflict): boolean =>
  turn !== undefined && replacedBy(turn).some((list) => isItemOf(change.path, list));

function finding(all: readonly [Conflict, ...Conflict[]]): Finding {
  const [{ earlier, later, how }] = all;
  const by = later.turn ?? earlier.turn;
  const what = listWords(all.map((one) => fieldWords(one.later.change.path)));
  const verb = how === 'removed' ? 'removed' : 'set back';
  return {
    rule: 'undone',
    severity: 'warning',
    title: `${actorText(by.actor)} ${verb} ${what}, which ${actorText(earlier.turn.actor)} had ${how === 'removed' ? 'set' : 'changed'}`,
    where: {
      actors: [by.actor, earlier.turn.actor],
      fields: all.map((one) => pathText(one.later.change.path)),
    },
    evidence: [
      {
        text: `${actorText(by.actor)} has the last word on ${what}, since ${whyLater(earlier.turn.decision, by.decision)}`,
        decision: by.at,
      },
      ...all.map((one) => ({ text: history(one), decision: one.earlier.turn.at })),
    ],
    remedy: `let one of the two leave ${what} alone; another order only changes which of the two wins`,
  };
}

function history({ earlier, later }: Conflict): string {
  const [from, to] = [valueWords(earlier.change.after), valueWords(later.change.after)];
  return `${fieldWords(later.change.path)}: ${from} by ${earlier.turn.actor.name}, then ${to}`;
}
