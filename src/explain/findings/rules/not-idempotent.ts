import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { Change } from '../../trace/object-changes.ts';
import { pathText } from '../../trace/field-path.ts';
import { actorText } from '../actor.ts';
import { conflictsOf, isCallee, isOwn } from '../conflicts.ts';
import { fieldWords, listWords, valueWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { isSamePath, valueIn } from '../list-items.ts';
import type { Reading, Turn } from '../reading.ts';

/**
 * The second call of a webhook changes what its first call set or left alone. Upstream requires that a second call
 * with the result of the first changes nothing.
 */
export const notIdempotent = (reading: Reading): readonly Finding[] =>
  reading.turns.filter((turn) => turn.round === 1 && isCallee(turn)).flatMap((turn) => findingOf(turn, reading));

function findingOf(turn: Turn, reading: Reading): readonly Finding[] {
  const again = conflictsOf(reading).filter(
    (one) =>
      one.later.turn === turn &&
      isOwn(one) &&
      one.earlier.turn.round === 0 &&
      one.earlier.turn.callee === turn.callee &&
      isSamePath(one.earlier.change.path, one.later.change.path),
  );
  const first = reading.turns.find((one) => one.round === 0 && one.callee === turn.callee);
  const isTouched = (change: Change): boolean => conflictsOf(reading).some(({ later }) => later.change === change);
  const left = turn.changes.filter((change) => !isTouched(change) && first !== undefined && wasLeft(change, first));
  const findings = [
    { changes: again.map(({ later }) => later.change).filter(isTelling), isLeft: false },
    { changes: left.filter(isTelling), isLeft: true },
  ];
  return findings.flatMap(({ changes, isLeft }) => (changes.length === 0 ? [] : [finding(turn, changes, isLeft)]));
}

/** Had it this value in the first call? */
function wasLeft({ path, before }: Change, first: Turn): boolean {
  return before !== undefined && first.shown !== undefined && sameJson(valueIn(first.shown, path), before);
}

/** Annotations often hold logs of a webhook, which may grow. */
const isTelling = ({ path }: Change): boolean => !(path[0] === 'metadata' && path[1] === 'annotations');

function finding(turn: Turn, changes: readonly Change[], isLeft: boolean): Finding {
  const what = listWords(changes.map(({ path }) => fieldWords(path)));
  const before = isLeft ? 'it had left alone in the first' : 'it had set in the first';
  return {
    rule: 'not-idempotent',
    severity: 'warning',
    title: `${actorText(turn.actor)} changed ${what} in the second round, which ${before}`,
    where: { actors: [turn.actor], fields: changes.map(({ path }) => pathText(path)) },
    evidence: changes.map((change) => ({
      text: `${fieldWords(change.path)}: ${valueWords(change.before)}, then ${valueWords(change.after)}`,
      decision: turn.at,
    })),
    remedy: `let ${turn.actor.name} recognise its own work: called with what it answered before (reinvocationPolicy IfNeeded), it should change nothing`,
  };
}
