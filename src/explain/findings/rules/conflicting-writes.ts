import { pathText } from '../../trace/field-path.ts';
import { actorText, type Finding } from '../finding.ts';
import { byDecisions, type Conflict, conflictsOf, isFinal, isOfTwo } from '../conflicts.ts';
import { fieldWords, listWords, valueWords } from '../field-words.ts';
import { isSamePath, isItemOf, replacedBy } from '../list-items.ts';
import { whyLater } from '../order-remedy.ts';
import type { TraceView } from '../trace-view.ts';

/** Two webhooks or policies set one field to different values. */
export function overwritten(view: TraceView): readonly Finding[] {
  // Of several changes of a field, the last one is reported.
  const last = conflictsOf(view).filter((one) => isOverwriting(one) && isFinal(one, view));
  return byDecisions(last).map(overwrittenFinding);
}

/** Changing a field inside an item that another webhook added is no conflict. */
const isOverwriting = (conflict: Conflict): boolean =>
  isOfTwo(conflict) &&
  conflict.how === 'changed' &&
  isSamePath(conflict.earlier.change.path, conflict.later.change.path);

function overwrittenFinding(all: readonly [Conflict, ...Conflict[]]): Finding {
  const [{ earlier, later }] = all;
  const by = later.by ?? earlier.by;
  const what = listWords(all.map((one) => fieldWords(one.later.change.path)));
  const [first, then] = [valueWords(earlier.change.after), valueWords(later.change.after)];
  const values = all.length === 1 ? `: ${first}, then ${then}` : '';
  return {
    rule: 'overwritten',
    severity: 'warning',
    title: `${what} was set by ${actorText(earlier.by.actor)} and then by ${actorText(by.actor)}${values}`,
    where: { actors: [by.actor, earlier.by.actor], fields: all.map((one) => pathText(one.later.change.path)) },
    evidence: [
      {
        text: `${actorText(by.actor)} wrote ${what} last, since ${whyLater(earlier.by.record, by.record)}`,
        decision: by.at,
      },
    ],
    remedy: `set ${what} in only one of the two, or keep existing values in ${by.actor.name}`,
  };
}

/** One webhook or policy removed or reset what another one wrote. */
export const undone = (view: TraceView): readonly Finding[] =>
  byDecisions(conflictsOf(view).filter((one) => isUndoing(one) && isFinal(one, view))).map(undoneFinding);

/** A replaced list has its own finding. */
const isUndoing = (conflict: Conflict): boolean =>
  isOfTwo(conflict) && (conflict.how === 'set-back' || (conflict.how === 'removed' && !isReplaced(conflict)));

const isReplaced = ({ later: { by, change } }: Conflict): boolean =>
  by !== undefined && replacedBy(by).some((list) => isItemOf(change.path, list));

function undoneFinding(all: readonly [Conflict, ...Conflict[]]): Finding {
  const [{ earlier, later, how }] = all;
  const by = later.by ?? earlier.by;
  const what = listWords(all.map((one) => fieldWords(one.later.change.path)));
  const verb = how === 'removed' ? 'removed' : 'reset';
  return {
    rule: 'undone',
    severity: 'warning',
    title: `${actorText(by.actor)} ${verb} ${what}, which ${actorText(earlier.by.actor)} had ${how === 'removed' ? 'set' : 'changed'}`,
    where: {
      actors: [by.actor, earlier.by.actor],
      fields: all.map((one) => pathText(one.later.change.path)),
    },
    evidence: [
      {
        text: `${actorText(by.actor)} wrote ${what} last, since ${whyLater(earlier.by.record, by.record)}`,
        decision: by.at,
      },
      ...all.map((one) => ({ text: history(one), decision: one.earlier.by.at })),
    ],
    remedy: `write ${what} in only one of the two; another order only changes which one wins`,
  };
}

function history({ earlier, later }: Conflict): string {
  const [from, to] = [valueWords(earlier.change.after), valueWords(later.change.after)];
  return `${fieldWords(later.change.path)}: ${from} by ${earlier.by.actor.name}, then ${to}`;
}
