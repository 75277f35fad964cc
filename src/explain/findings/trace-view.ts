import { type JsonObject, type JsonValue, asObject, isJsonObject, isList } from '../../machinery/json/json.ts';
import { type FieldPath, type PathStep, keyValue, listKeyOf } from '../trace/field-path.ts';
import { changesBetween, type FieldChange } from '../trace/object-diff.ts';
import { type States, hasChanged, statesOf } from '../trace/object-states.ts';
import type { Trace, TracedDecision } from '../trace/trace.ts';
import { type Actor, actorOf } from './finding.ts';

/** A trace as the rules read it: the decisions of its last attempt, each with the object before and after it. */
export interface TraceView {
  readonly trace: Trace;
  readonly decisions: readonly ViewedDecision[];
  /** Every change of the object in order, those of the server itself included. */
  readonly writes: readonly ViewedWrite[];
}

export interface ViewedDecision {
  /** The index in `admission` of the trace. */
  readonly at: number;
  readonly record: TracedDecision;
  readonly actor: Actor;
  /** Unique for each webhook and plugin, and for each policy with a binding and a parameter object. */
  readonly callee: string;
  readonly round: 0 | 1;
  /** The object as it was sent; absent where the trace does not have it. */
  readonly shown?: JsonObject;
  /** Present when it changed the object. */
  readonly states?: States;
  readonly changes: readonly FieldChange[];
  /** False for a patch that the API server drops or ignores. */
  readonly hasEffect: boolean;
}

export interface ViewedWrite {
  /** Absent for the server itself: defaults, pruning. */
  readonly by?: ViewedDecision;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly changes: readonly FieldChange[];
}

/** Of a request that was admitted several times, only the last attempt counts. */
export function createTraceView(trace: Trace): TraceView {
  const last = trace.admission.at(-1)?.attempt ?? 0;
  const decisions = statesOf(trace).flatMap((states, at) => {
    const decision = trace.admission[at];
    if (decision === undefined || (decision.attempt ?? 0) !== last) return [];
    const changes = states === undefined ? [] : singleChanges(states.before, states.after);
    const shown = states?.before ?? reviewedObject(decision);
    return [
      {
        at,
        record: decision,
        actor: actorOf(decision),
        callee: calleeOf(decision),
        round: decision.round,
        ...(shown === undefined ? {} : { shown }),
        ...(states === undefined ? {} : { states }),
        changes,
        hasEffect: hasChanged(decision, states),
      },
    ];
  });
  return { trace, decisions, writes: writesOf(trace, decisions) };
}

/** A webhook, a plugin, or a policy with one binding and one parameter object. */
export function calleeOf(decision: TracedDecision): string {
  const { type, phase, name } = decision;
  if (type === 'plugin') return JSON.stringify([type, phase, name]);
  if (type === 'webhook') return JSON.stringify([type, phase, name, decision.configuration]);
  const { namespace = '', name: params = '' } = decision.params ?? {};
  return JSON.stringify([type, phase, name, decision.binding ?? '', namespace, params]);
}

function reviewedObject(decision: TracedDecision): JsonObject | undefined {
  const object = decision.type === 'webhook' ? asObject(decision.review?.['request'])['object'] : undefined;
  return isJsonObject(object) ? object : undefined;
}

function writesOf(
  { objectReceived, objectAfter, verdict }: Trace,
  decisions: readonly ViewedDecision[],
): readonly ViewedWrite[] {
  const writes: ViewedWrite[] = [];
  let last = objectReceived ?? undefined;
  const byServer = (next: JsonObject): void => {
    const changes = last === undefined || isOtherVersion(last, next) ? [] : singleChanges(last, next);
    if (last !== undefined && changes.length > 0) writes.push({ before: last, after: next, changes });
  };
  for (const by of decisions) {
    if (by.states === undefined) continue;
    byServer(by.states.before);
    writes.push({ by, ...by.states, changes: by.changes });
    last = by.states.after;
  }
  // A refused request ends with the object as it was then.
  if (objectAfter && verdict === 'admitted') byServer(objectAfter);
  return writes;
}

/** A webhook may receive another version, in which fields have other names. */
const isOtherVersion = (one: JsonObject, other: JsonObject): boolean => one['apiVersion'] !== other['apiVersion'];

/**
 * The changes between two objects, with one change for each list item, label and annotation that was added or
 * removed.
 */
export const singleChanges = (before: JsonValue, after: JsonValue): readonly FieldChange[] =>
  changesBetween(before, after).flatMap(splitChange);

function splitChange(change: FieldChange): readonly FieldChange[] {
  const { path, before, after } = change;
  const whole = before === undefined ? after : after === undefined ? before : undefined;
  if (whole === undefined) return [change];
  const parts = namedParts(whole, path);
  if (parts.length === 0) return [change];
  return parts.map(([step, value]) => ({
    path: [...path, step],
    ...(before === undefined ? { after: value } : { before: value }),
  }));
}

function namedParts(value: JsonValue, path: FieldPath): readonly (readonly [PathStep, JsonValue])[] {
  if (isList(value)) {
    const key = listKeyOf([value]);
    return key === undefined ? [] : value.map((item) => [{ key, value: keyValue(item, key) ?? '' }, item]);
  }
  const isMap = path.length === 2 && path[0] === 'metadata' && (path[1] === 'labels' || path[1] === 'annotations');
  if (!isMap || !isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, one]]));
}
