import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { FieldChange } from '../../trace/object-diff.ts';
import { pathText } from '../../trace/field-path.ts';
import { actorText, type Finding } from '../finding.ts';
import { conflictsOf, isCallee, isOwn } from '../conflicts.ts';
import { describeField, describeList, describeValue } from '../describe-field.ts';
import { isSamePath, valueIn } from '../list-items.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

/**
 * The second call of a webhook changes what its first call set or left alone. Upstream requires that a second call
 * with the result of the first changes nothing.
 */
export const notIdempotent = (view: TraceView): readonly Finding[] =>
  view.decisions.filter((by) => by.round === 1 && isCallee(by)).flatMap((by) => findingOf(by, view));

function findingOf(by: ViewedDecision, view: TraceView): readonly Finding[] {
  const conflicts = conflictsOf(view);
  const again = conflicts.filter(
    (one) =>
      one.later.by === by &&
      isOwn(one) &&
      one.earlier.by.round === 0 &&
      one.earlier.by.callee === by.callee &&
      isSamePath(one.earlier.change.path, one.later.change.path),
  );
  const first = view.decisions.find((one) => one.round === 0 && one.callee === by.callee);
  const touched = new Set(conflicts.map(({ later }) => later.change));
  const left = by.changes.filter((change) => !touched.has(change) && first !== undefined && wasLeft(change, first));
  const findings = [
    { changes: again.map(({ later }) => later.change).filter(isRelevant), isLeft: false },
    { changes: left.filter(isRelevant), isLeft: true },
  ];
  return findings.flatMap(({ changes, isLeft }) => (changes.length === 0 ? [] : [finding(by, changes, isLeft)]));
}

/** Had it this value in the first call? */
function wasLeft({ path, before }: FieldChange, first: ViewedDecision): boolean {
  return before !== undefined && first.shown !== undefined && sameJson(valueIn(first.shown, path), before);
}

/** Annotations often hold logs of a webhook, which may grow. */
const isRelevant = ({ path }: FieldChange): boolean => !(path[0] === 'metadata' && path[1] === 'annotations');

function finding(by: ViewedDecision, changes: readonly FieldChange[], isLeft: boolean): Finding {
  const what = describeList(changes.map(({ path }) => describeField(path)));
  const before = isLeft ? 'it had left alone in the first' : 'it had set in the first';
  return {
    rule: 'not-idempotent',
    severity: 'warning',
    title: `${actorText(by.actor)} changed ${what} in the second round, which ${before}`,
    where: { actors: [by.actor], fields: changes.map(({ path }) => pathText(path)) },
    evidence: changes.map((change) => ({
      text: `${describeField(change.path)}: ${describeValue(change.before)}, then ${describeValue(change.after)}`,
      decision: by.at,
    })),
    remedy: `make ${by.actor.name} idempotent: a second call (reinvocationPolicy IfNeeded) with its own result must change nothing`,
  };
}
