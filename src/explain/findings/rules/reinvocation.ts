import { actorText, type Finding, isSameActor } from '../finding.ts';
import { describeField, describeList, describeChange, describeValue } from '../describe-field.ts';
import {
  callsByCallee,
  decisionCalled,
  lateItemText,
  type LateItem,
  lateItems,
  missingMutations,
} from '../per-item-mutations.ts';
import { orderRemedy, reinvocationOf, whyNotAgain, unseenText } from '../order-remedy.ts';
import { pathText } from '../../trace/field-path.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';
import { valueIn, isNewItem, itemChange, isSamePath } from '../list-items.ts';
import { isCallee, conflictsOf, isOfSameActor } from '../conflicts.ts';
import type { FieldChange } from '../../trace/object-diff.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';

/**
 * A webhook mutates every item of a list, another one adds an item later, and the webhook is not called again. Only
 * webhooks with reinvocationPolicy IfNeeded are, once, after a later change (rules REI-1, REI-7).
 */
export const calledTooEarly = (view: TraceView): readonly Finding[] =>
  callsByCallee(view).flatMap((calls) => {
    const last = calls.at(-1);
    const why = last && whyNotAgain(last.record);
    if (last === undefined || why === undefined) return [];
    const late = lateItems(view, calls, { from: last.at, until: Infinity });
    const [first] = late;
    return first === undefined ? [] : [tooEarlyFinding({ early: last, first, late, why })];
  });

interface TooEarly {
  readonly early: ViewedDecision;
  readonly first: LateItem;
  readonly late: readonly LateItem[];
  readonly why: string;
}

function tooEarlyFinding({ early, first, late, why }: TooEarly): Finding {
  const items = describeList(late.map(({ added }) => describeField(added.change.path)));
  return {
    rule: 'called-too-early',
    severity: 'warning',
    title: `${actorText(early.actor)} was called before ${actorText(first.by.actor)} added ${items}, and not again: ${why}`,
    where: {
      actors: [early.actor, ...new Set(late.map(({ by }) => by.actor))],
      fields: late.map(({ added }) => pathText(added.change.path)),
    },
    evidence: late.map((one) => ({ text: lateItemText(one), decision: one.by.at })),
    remedy: remedyOf(early, first.by),
  };
}

function remedyOf({ record: decision }: ViewedDecision, { record: late }: ViewedDecision): string {
  const order = orderRemedy(decision, late);
  if (reinvocationOf(decision) === 'IfNeeded') return order;
  return `set reinvocationPolicy: IfNeeded on ${decision.name} (its second call must not repeat the first), or: ${order}`;
}

/** A webhook mutates every item of a list, is called again after an item was added, and does not mutate that item. */
export const uselessReinvocation = (view: TraceView): readonly Finding[] =>
  callsByCallee(view).flatMap((calls) => {
    const [first, again] = calls;
    if (first === undefined || again === undefined) return [];
    const late = lateItems(view, calls, { from: first.at, until: again.at });
    const unmutated = late.filter((one) => lacksMutation(one, again));
    return unmutated.length === 0 ? [] : [uselessReinvocationOf(again, unmutated)];
  });

/** Does the item lack the mutation after the second call? */
function lacksMutation({ added, lacks }: LateItem, { states }: ViewedDecision): boolean {
  if (states === undefined) return true;
  const item = valueIn(states.after, added.change.path);
  return item !== undefined && missingMutations(lacks, added.list, item).length > 0;
}

function uselessReinvocationOf(again: ViewedDecision, unmutated: readonly LateItem[]): Finding {
  const items = describeList(unmutated.map(({ added }) => describeField(added.change.path)));
  const outcome = again.changes.length === 0 ? 'changed nothing' : 'left it as it was';
  return {
    rule: 'called-again-in-vain',
    severity: 'warning',
    title: `${actorText(again.actor)} was called again after ${actorText(unmutated[0]?.by.actor ?? again.actor)} added ${items}, and ${outcome}`,
    where: {
      actors: [again.actor, ...unmutated.map(({ by }) => by.actor)],
      fields: unmutated.map(({ added }) => pathText(added.change.path)),
    },
    evidence: unmutated.map((one) => ({ text: lateItemText(one), decision: again.at })),
    remedy: `check each item in ${again.actor.name}: it probably stops at its own earlier change`,
  };
}

/** A webhook or policy was called in the second round, or a plugin changed other fields in it than in the first. */
export const calledAgain = ({ decisions }: TraceView): readonly Finding[] =>
  decisions.flatMap((again) => {
    if (again.round === 0 || again.record.phase !== 'mutating') return [];
    const first = decisions.find((one) => one.round === 0 && one.callee === again.callee);
    if (first === undefined || !isCalledTwice(first, again) || !isWorthReporting(again, first)) return [];
    const causes = decisions.filter(
      (one) => one.at > first.at && one.at < again.at && isCallee(one) && one.hasEffect && one.changes.length > 0,
    );
    const [cause] = causes;
    return cause === undefined ? [] : [calledAgainFinding(again, cause, causes)];
  });

/** Plugins run in both rounds. */
const isCalledTwice = (first: ViewedDecision, again: ViewedDecision): boolean =>
  !isCallee(again) || decisionCalled(first);

/** Every plugin runs again; only a change of other fields counts. */
function isWorthReporting(again: ViewedDecision, first: ViewedDecision): boolean {
  if (isCallee(again)) return decisionCalled(again);
  const before = new Set(first.changes.map(kindOfField));
  return again.changes.some((change) => !before.has(kindOfField(change)));
}

/** The path without the list that holds the item: init containers count as containers. */
function kindOfField({ path }: FieldChange): string {
  const item = path.findIndex((step) => typeof step === 'object');
  return pathText(path.slice(item + 1).map((step) => (typeof step === 'object' ? step.key : step)));
}

function calledAgainFinding(again: ViewedDecision, cause: ViewedDecision, causes: readonly ViewedDecision[]): Finding {
  const changes = causes.flatMap((one) => one.changes);
  const others = causes.length === 1 ? '' : ' and others';
  return {
    rule: 'called-again',
    severity: 'note',
    title: isCallee(again)
      ? `${actorText(again.actor)} was reinvoked, since ${actorText(cause.actor)}${others} ${describeChange(changes)}`
      : `${actorText(again.actor)} ran again in the second round and ${describeChange(again.changes)}, since ${actorText(cause.actor)}${others} ${describeChange(changes)}`,
    where: {
      actors: [again.actor, ...causes.map((one) => one.actor)],
      fields: changes.map(({ path }) => pathText(path)),
    },
    evidence: [],
    remedy: isCallee(again)
      ? `${again.actor.name} has reinvocationPolicy: IfNeeded; with Never it would miss those changes`
      : 'compiled-in plugins run again after a webhook or policy changed the object, so they process additions of webhooks too',
  };
}

/** A mutating webhook or policy changed nothing: its patch had no effect, or an item was added after its last call. */
export const changedNothing = (view: TraceView): readonly Finding[] =>
  callsByCallee(view).flatMap((calls) => {
    const last = calls.at(-1);
    if (last === undefined || hasChanged(last, view)) return [];
    const why = whyNotAgain(last.record);
    const late = why === undefined ? undefined : lateOf(last, view);
    if (why !== undefined && late !== undefined) return [calledBeforeFinding(last, late, why)];
    return hasPatch(last) ? [uselessFinding(last)] : [];
  });

/** In any round, with any binding. */
const hasChanged = ({ actor }: ViewedDecision, { decisions }: TraceView): boolean =>
  decisions.some((one) => one.changes.length > 0 && isSameActor(one.actor, actor));

interface LateItems {
  readonly by: ViewedDecision;
  readonly items: string;
}

/** The list items that others added after the call. */
function lateOf({ at, actor }: ViewedDecision, { decisions }: TraceView): LateItems | undefined {
  const added = decisions
    .filter((one) => one.at > at && isCallee(one) && !isSameActor(one.actor, actor))
    .flatMap((by) => by.changes.map((change) => ({ by, item: itemChange(change) })))
    .flatMap(({ by, item }) => (item !== undefined && isNewItem(item) ? [{ by, item }] : []));
  const [first] = added;
  return first && { by: first.by, items: describeList(added.map(({ item }) => describeField(item.change.path))) };
}

/** Webhooks have states only with a patch. */
const hasPatch = ({ record: decision, states }: ViewedDecision): boolean =>
  decision.type === 'webhook' && states !== undefined;

const calledBeforeFinding = (last: ViewedDecision, { by, items }: LateItems, why: string): Finding => ({
  rule: 'changed-nothing',
  severity: 'note',
  title: `${actorText(last.actor)} was called and changed nothing; ${unseenText(actorText(by.actor), items)}: ${why}`,
  where: { actors: [last.actor, by.actor], fields: [] },
  evidence: [],
  remedy: `if it should change ${items}: ${orderRemedy(last.record, by.record)}${reinvocationOf(last.record) === 'Never' ? ', or set reinvocationPolicy: IfNeeded on it' : ''}`,
});

const uselessFinding = ({ actor, at }: ViewedDecision): Finding => ({
  rule: 'changed-nothing',
  severity: 'note',
  title: `${actorText(actor)} sent a patch that changed nothing`,
  where: { actors: [actor], fields: [] },
  evidence: [{ text: 'its values exist already, or the API server drops them', decision: at }],
  remedy: 'if that is unintended: compare the paths of its patch with request.object',
});

/**
 * The second call of a webhook changes what its first call set or left alone. Upstream requires that a second call
 * with the result of the first changes nothing.
 */
export const notIdempotent = (view: TraceView): readonly Finding[] =>
  view.decisions.filter((by) => by.round === 1 && isCallee(by)).flatMap((by) => notIdempotentFindings(by, view));

function notIdempotentFindings(by: ViewedDecision, view: TraceView): readonly Finding[] {
  const conflicts = conflictsOf(view);
  const again = conflicts.filter(
    (one) =>
      one.later.by === by &&
      isOfSameActor(one) &&
      one.earlier.by.round === 0 &&
      one.earlier.by.callee === by.callee &&
      isSamePath(one.earlier.change.path, one.later.change.path),
  );
  const first = view.decisions.find((one) => one.round === 0 && one.callee === by.callee);
  const touched = new Set(conflicts.map(({ later }) => later.change));
  const revised = by.changes.filter(
    (change) => !touched.has(change) && first !== undefined && wasUnchangedBefore(change, first),
  );
  const findings = [
    { changes: again.map(({ later }) => later.change).filter(isRelevant), isLeft: false },
    { changes: revised.filter(isRelevant), isLeft: true },
  ];
  return findings.flatMap(({ changes, isLeft }) =>
    changes.length === 0 ? [] : [notIdempotentFinding(by, changes, isLeft)],
  );
}

/** Had it this value in the first call? */
function wasUnchangedBefore({ path, before }: FieldChange, first: ViewedDecision): boolean {
  return before !== undefined && first.shown !== undefined && sameJson(valueIn(first.shown, path), before);
}

/** Annotations often hold logs of a webhook, which may grow. */
const isRelevant = ({ path }: FieldChange): boolean => !(path[0] === 'metadata' && path[1] === 'annotations');

function notIdempotentFinding(by: ViewedDecision, changes: readonly FieldChange[], isLeft: boolean): Finding {
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
