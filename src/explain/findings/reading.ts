import { asObject, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { Change } from '../trace/object-changes.ts';
import { hasChanged, statesOf } from '../trace/object-states.ts';
import type { States } from '../trace/object-states.ts';
import type { Trace, TracedDecision } from '../trace/trace.ts';
import { actorOf } from './actor.ts';
import type { Actor } from './finding.ts';
import { singleChanges } from './single-changes.ts';

/** A trace as the rules read it: the decisions of its last try, each with what it saw and changed. */
export interface Reading {
  readonly trace: Trace;
  /** In the order of the trace. */
  readonly turns: readonly Turn[];
  /** Everything that changed the object, in order; between two of them the server's own doing. */
  readonly writes: readonly Write[];
}

export interface Turn {
  /** The index of the decision in the trace. */
  readonly at: number;
  readonly decision: TracedDecision;
  readonly actor: Actor;
  /** Tells it from all others that are called: of a policy each binding with each parameter object is one. */
  readonly callee: string;
  readonly round: 0 | 1;
  /** The object as it was shown; absent where the trace does not say. */
  readonly shown?: JsonObject;
  /** The object before and after it, when it changed something. */
  readonly states?: States;
  readonly changes: readonly Change[];
  /** Is the object another one after it? A change that the API server drops, or takes for none, is none. */
  readonly hasEffect: boolean;
}

export interface Write {
  /** Absent for the server itself: defaults, pruning, what it fills in. */
  readonly turn?: Turn;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly changes: readonly Change[];
}

/** Reads a trace. Of a request that was admitted several times (another write came first), the last time only. */
export function readTrace(trace: Trace): Reading {
  const last = trace.admission.at(-1)?.attempt ?? 0;
  const turns = statesOf(trace).flatMap((states, at) => {
    const decision = trace.admission[at];
    if (decision === undefined || (decision.attempt ?? 0) !== last) return [];
    const changes = states === undefined ? [] : singleChanges(states.before, states.after);
    const shown = states?.before ?? reviewed(decision);
    return [
      {
        at,
        decision,
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
  return { trace, turns, writes: writesOf(trace, turns) };
}

/** Tells a webhook, plugin, or policy with one binding and one parameter object from all others. */
export function calleeOf(decision: TracedDecision): string {
  const { type, phase, name } = decision;
  if (type === 'plugin') return JSON.stringify([type, phase, name]);
  if (type === 'webhook') return JSON.stringify([type, phase, name, decision.configuration]);
  const { namespace = '', name: params = '' } = decision.params ?? {};
  return JSON.stringify([type, phase, name, decision.binding ?? '', namespace, params]);
}

/** The object in the review of a webhook. */
function reviewed(decision: TracedDecision): JsonObject | undefined {
  const object = decision.type === 'webhook' ? asObject(decision.review?.['request'])['object'] : undefined;
  return isJsonObject(object) ? object : undefined;
}

function writesOf({ objectReceived, objectAfter, verdict }: Trace, turns: readonly Turn[]): readonly Write[] {
  const writes: Write[] = [];
  let last = objectReceived ?? undefined;
  const byServer = (next: JsonObject): void => {
    const changes = last === undefined || isOtherVersion(last, next) ? [] : singleChanges(last, next);
    if (last !== undefined && changes.length > 0) writes.push({ before: last, after: next, changes });
  };
  for (const turn of turns) {
    if (turn.states === undefined) continue;
    byServer(turn.states.before);
    writes.push({ turn, ...turn.states, changes: turn.changes });
    last = turn.states.after;
  }
  // Of a refused request the object stands as far as it came.
  if (objectAfter && verdict === 'admitted') byServer(objectAfter);
  return writes;
}

/** A webhook may be shown another version, in which fields have other names. */
const isOtherVersion = (one: JsonObject, other: JsonObject): boolean => one['apiVersion'] !== other['apiVersion'];
