import { sameJson } from '../../../machinery/json/json-equal.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { type FieldPath, pathText } from '../../trace/field-path.ts';
import {
  type Conflict,
  type OwnedChange,
  byDecisions,
  conflictsOf,
  isCallee,
  isFinal,
  isBetweenCallees,
  isSameValue,
} from '../conflicts.ts';
import { describeField, describeList, describeValue } from '../describe-field.ts';
import { type Finding, actorText } from '../finding.ts';
import { isItemOf, isSamePath, isWithin, replacedPaths, valueIn } from '../list-items.ts';
import { whyLater } from '../order-remedy.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

/** Two webhooks or policies set one field to different values. */
export function overwritten(view: TraceView): readonly Finding[] {
  // Of several changes of a field, the last one is reported.
  const last = conflictsOf(view).filter((one) => isOverwriting(one) && isFinal(one, view));
  return byDecisions(last).map(overwrittenFinding);
}

/** Changing a field inside an item that another webhook added is no conflict. */
const isOverwriting = (conflict: Conflict): boolean =>
  isBetweenCallees(conflict) &&
  conflict.how === 'changed' &&
  isSamePath(conflict.earlier.change.path, conflict.later.change.path);

function overwrittenFinding(all: Conflicts): Finding {
  const [{ earlier, later }] = all;
  const { by, what, ...common } = describeLastWrite(all);
  const [first, then] = [describeValue(earlier.change.after), describeValue(later.change.after)];
  const values = all.length === 1 ? `: ${first}, then ${then}` : '';
  return {
    ...common,
    rule: 'overwritten',
    title: `${what} was set by ${actorText(earlier.by.actor)} and then by ${actorText(by.actor)}${values}`,
    remedy: `set ${what} in only one of the two, or keep existing values in ${by.actor.name}`,
  };
}

interface LastWrite extends Pick<Finding, 'severity' | 'where' | 'evidence'> {
  readonly by: ViewedDecision;
  readonly what: string;
}

/** The later of two writers wins, since it is called later. */
function describeLastWrite(all: Conflicts): LastWrite {
  const [{ earlier, later }] = all;
  const by = later.by ?? earlier.by;
  const what = fieldNames(all);
  const text = `${actorText(by.actor)} wrote ${what} last, since ${whyLater(earlier.by.record, by.record)}`;
  return {
    by,
    what,
    severity: 'warning',
    where: { actors: [by.actor, earlier.by.actor], fields: fieldsOf(all) },
    evidence: [{ text, decision: by.at }],
  };
}

/** One webhook or policy removed or reset what another one wrote. */
export const revertedChanges = (view: TraceView): readonly Finding[] =>
  byDecisions(conflictsOf(view).filter((one) => isUndoing(one) && isFinal(one, view))).map(revertedFinding);

/** A replaced list has its own finding. */
const isUndoing = (conflict: Conflict): boolean =>
  isBetweenCallees(conflict) && (conflict.how === 'set-back' || (conflict.how === 'removed' && !isReplaced(conflict)));

const isReplaced = ({ later: { by, change } }: Conflict): boolean =>
  by !== undefined && replacedPaths(by).some((list) => isItemOf(change.path, list));

function revertedFinding(all: Conflicts): Finding {
  const [{ earlier, how }] = all;
  const { by, what, evidence, ...common } = describeLastWrite(all);
  const [verb, before] = how === 'removed' ? ['removed', 'set'] : ['reset', 'changed'];
  return {
    ...common,
    rule: 'undone',
    title: `${actorText(by.actor)} ${verb} ${what}, which ${actorText(earlier.by.actor)} had ${before}`,
    evidence: [...evidence, ...all.map((one) => ({ text: describeConflict(one), decision: one.earlier.by.at }))],
    remedy: `write ${what} in only one of the two; another order only changes which one wins`,
  };
}

function describeConflict({ earlier, later }: Conflict): string {
  const [from, to] = [describeValue(earlier.change.after), describeValue(later.change.after)];
  return `${describeField(later.change.path)}: ${from} by ${earlier.by.actor.name}, then ${to}`;
}

/** A patch replaces a whole list or map, and items of others are lost. */
export function replacedList(view: TraceView): readonly Finding[] {
  return view.decisions.flatMap((by) =>
    by.record.type === 'webhook' ? replacedPaths(by).flatMap((list) => replacedListFinding(by, list, view)) : [],
  );
}

function replacedListFinding(by: ViewedDecision, list: FieldPath, view: TraceView): readonly Finding[] {
  const lost = by.changes.filter(({ path, after }) => after === undefined && isItemOf(path, list));
  if (lost.length === 0) return [];
  const owners = lost.map(({ path }) => ownerOf(path, by, view));
  const actors = owners.flatMap((owner) => (owner === undefined ? [] : [owner.actor]));
  const what = describeList(lost.map(({ path }) => describeField(path)));
  return [
    {
      rule: 'replaced-list',
      severity: 'warning',
      title: `${actorText(by.actor)} replaced ${pathText(list)} as a whole, which removed ${what}`,
      where: { actors: [by.actor, ...actors], fields: lost.map(({ path }) => pathText(path)) },
      evidence: lost.map(({ path }, at) => ({
        text: `${describeField(path)} was added by ${ownerText(path, owners[at], view)}`,
        decision: owners[at]?.at ?? by.at,
      })),
      remedy: `patch single items: "add" at ${listPointer(list)}/${appendStep(list)} adds one and keeps the others`,
    },
  ];
}

/** The decision that added the item; undefined when it was in the request. */
function ownerOf(path: FieldPath, by: ViewedDecision, { writes }: TraceView): ViewedDecision | undefined {
  const before = writes.slice(
    0,
    writes.findIndex((write) => write.by === by),
  );
  return before.findLast(({ changes }) =>
    changes.some((change) => change.after !== undefined && isWithin(path, change.path)),
  )?.by;
}

function ownerText(path: FieldPath, by: ViewedDecision | undefined, { trace }: TraceView): string {
  if (by !== undefined) return actorText(by.actor);
  const { body, verb } = trace.request;
  if (isJsonObject(body) && valueIn(body, path) !== undefined) return 'the client';
  return verb === 'create' ? 'the request' : 'the stored object or the request';
}

const listPointer = (path: FieldPath): string =>
  path.map((step) => `/${typeof step === 'object' ? '…' : step}`).join('');

const appendStep = (list: FieldPath): string => (list[0] === 'metadata' && list[1] !== 'finalizers' ? 'KEY' : '-');

type Conflicts = readonly [Conflict, ...Conflict[]];

const conflictGroups = (view: TraceView, isWanted: (conflict: Conflict) => boolean): readonly Conflicts[] =>
  byDecisions(conflictsOf(view).filter((one) => isCallee(one.earlier.by) && isWanted(one)));

/** A plugin changed what a webhook or policy had set: plugins run again in the second round. */
export const pluginOverrode = (view: TraceView): readonly Finding[] =>
  conflictGroups(view, ({ later, earlier }) => later.by?.actor.type === 'plugin' && !isPartOfReplacedList(earlier)).map(
    (all) => {
      const [{ earlier, later, how }] = all;
      const plugin = later.by?.actor ?? earlier.by.actor;
      return {
        ...commonFields(all),
        rule: 'plugin-overrode',
        title: `${actorText(plugin)} ${pluginVerbs[how]} ${fieldNames(all)}, which ${actorText(earlier.by.actor)} had ${earlier.change.after === undefined ? 'removed' : 'set'}`,
        where: { actors: [plugin, earlier.by.actor], fields: fieldsOf(all) },
        remedy: `plugins run again in the second round: set the value of ${plugin.name} in ${earlier.by.actor.name}, or run kube-apiserver with --disable-admission-plugins=${plugin.name}`,
      };
    },
  );

const pluginVerbs = { restored: 'restored', removed: 'removed', changed: 'changed', 'set-back': 'reset' } as const;

/** Was the field part of a list that was replaced as a whole? Then its return restores it. */
const isPartOfReplacedList = ({ by, change: { path, after } }: OwnedChange): boolean =>
  after === undefined && replacedPaths(by).some((list) => isWithin(path, list));

/** A webhook or policy removed a field, and the API server set its default. */
export const defaultRestored = (view: TraceView): readonly Finding[] =>
  conflictGroups(
    view,
    ({ how, later, earlier }) =>
      later.by === undefined && how === 'restored' && !sameJson(later.change.after, earlier.change.before),
  ).map((all) => {
    const [{ earlier }] = all;
    return {
      ...commonFields(all),
      rule: 'default-came-back',
      title: `${actorText(earlier.by.actor)} removed ${fieldNames(all)}, and the API server set its default`,
      where: { actors: [earlier.by.actor], fields: fieldsOf(all) },
      remedy: `a field with a default cannot be removed: write the value in ${earlier.by.actor.name}, and keep all other fields`,
    };
  });

/** A webhook or policy set a field that the API server dropped: unknown to the schema, or read-only. */
export const droppedAgain = (view: TraceView): readonly Finding[] =>
  conflictGroups(view, ({ how, later }) => later.by === undefined && how === 'removed').map((all) => {
    const [{ earlier }] = all;
    return {
      ...commonFields(all),
      rule: 'dropped',
      title: `${actorText(earlier.by.actor)} set ${fieldNames(all)}, and the API server dropped ${all.length === 1 ? 'it' : 'them'}`,
      where: { actors: [earlier.by.actor], fields: fieldsOf(all) },
      remedy:
        'the schema of this version does not have the field, or only a request to a subresource may set it (status): correct the path, or the CustomResourceDefinition',
    };
  });

const commonFields = (all: Conflicts): Pick<Finding, 'severity' | 'evidence'> => ({
  severity: 'warning',
  evidence: all.map(({ earlier, later }) => ({
    text: `${describeField(later.change.path)}: ${describeValue(later.change.before ?? earlier.change.before)}, then ${describeValue(later.change.after)}`,
    decision: later.by?.at ?? earlier.by.at,
  })),
});

const fieldNames = (all: Conflicts): string => describeList(all.map(({ later }) => describeField(later.change.path)));

const fieldsOf = (all: Conflicts): readonly string[] => all.map(({ later }) => pathText(later.change.path));

/** A webhook or policy replaced a value that the client had sent. */
export const overwroteClient = ({ trace: { request }, decisions }: TraceView): readonly Finding[] =>
  decisions.filter(isCallee).flatMap(({ actor, changes }) => {
    const { body } = request;
    if (!isJsonObject(body)) return [];
    const replaced = changes.filter(
      ({ path, before, after }) =>
        before !== undefined && after !== undefined && isSameValue(valueIn(body, path), before),
    );
    if (replaced.length === 0) return [];
    const texts = replaced.map(
      ({ path, before, after }) => `${describeField(path)} from ${describeValue(before)} to ${describeValue(after)}`,
    );
    return [
      {
        rule: 'overwrote-client',
        severity: 'note',
        title: `${actorText(actor)} changed what the client had set: ${describeList(texts)}`,
        where: { actors: [actor], fields: replaced.map(({ path }) => pathText(path)) },
        evidence: [],
        remedy: `if that is unintended: set the field in ${actor.name} only where it is absent`,
      },
    ];
  });
