import { pathText } from '../../trace/field-path.ts';
import { actorText } from '../actor.ts';
import { byDecisions, type Conflict, conflictsOf, isFinal, isOfTwo } from '../conflicts.ts';
import { fieldWords, listWords, valueWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { isSamePath } from '../list-items.ts';
import { whyLater } from '../order-remedy.ts';
import type { TraceView } from '../trace-view.ts';

/** Two webhooks or policies set one field to different values. */
export function overwritten(view: TraceView): readonly Finding[] {
  // Of several changes of a field, the last one is reported.
  const last = conflictsOf(view).filter((one) => isOverwriting(one) && isFinal(one, view));
  return byDecisions(last).map(finding);
}

/** Changing a field inside an item that another webhook added is no conflict. */
const isOverwriting = (conflict: Conflict): boolean =>
  isOfTwo(conflict) &&
  conflict.how === 'changed' &&
  isSamePath(conflict.earlier.change.path, conflict.later.change.path);

function finding(all: readonly [Conflict, ...Conflict[]]): Finding {
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
