import { isJsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { type FieldPath, pathText, membersOf } from './field-path.ts';
import { changesBetween } from './object-diff.ts';
import { statesOf } from './object-states.ts';
import type { Trace } from './trace.ts';

/** The last writer of a field. Fields are leaves: values, and empty lists and objects. */
export interface FieldBlame {
  /** `spec.containers[name=web].image`. */
  readonly path: string;
  /** Absent when it was removed. */
  readonly value?: JsonValue;
  readonly by: BlamedWriter;
  /** Earlier writes, oldest first. */
  readonly previous: readonly BlamedWrite[];
}

export interface BlamedWrite {
  readonly by: BlamedWriter;
  /** Absent for a removal. */
  readonly value?: JsonValue;
}

export type BlamedWriter =
  /** The body of the request. */
  | { readonly type: 'client' }
  /** Unchanged since it was stored. */
  | { readonly type: 'stored' }
  /** Defaults, and fields that the server sets. */
  | { readonly type: 'server' }
  | { readonly type: 'plugin'; readonly name: string; readonly round: 0 | 1 }
  | { readonly type: 'policy'; readonly name: string; readonly round: 0 | 1 }
  | { readonly type: 'webhook'; readonly configuration: string; readonly name: string; readonly round: 0 | 1 };

/** The writers of each field, removed fields included, without `metadata.managedFields`. */
export function blameOf(trace: Trace): readonly FieldBlame[] {
  const history = new Map<string, BlamedWrite[]>();
  const write = (path: string, entry: BlamedWrite): void => {
    const known = history.get(path);
    if (known) known.push(entry);
    else history.set(path, [entry]);
  };
  const received = trace.objectReceived ?? trace.objectAfter;
  const firstWriter = createFirstWriter(trace);
  for (const [path, value] of leavesOf(received)) write(path, { by: firstWriter(path, value), value });
  let last: JsonValue | undefined = received ?? undefined;
  statesOf(trace).forEach((states, at) => {
    const by = writerOf(trace.admission[at]);
    if (states === undefined || by === undefined) return;
    recordChanges(last, states.before, { type: 'server' }, write);
    recordChanges(states.before, states.after, by, write);
    last = states.after;
  });
  recordChanges(last, trace.objectAfter ?? undefined, { type: 'server' }, write);
  return [...history].flatMap(([path, entries]) => blame(path, entries));
}

/** Fields that only the server set and removed do not count. */
function blame(path: string, entries: readonly BlamedWrite[]): readonly FieldBlame[] {
  const last = entries.at(-1);
  if (last === undefined || (last.value === undefined && last.by.type === 'server')) return [];
  return [{ path, ...last, previous: entries.slice(0, -1) }];
}

function writerOf(decision: Trace['admission'][number] | undefined): BlamedWriter | undefined {
  if (decision === undefined) return undefined;
  const { name, round } = decision;
  if (decision.type === 'policy') return { type: 'policy', name, round };
  if (decision.type === 'plugin') return { type: 'plugin', name, round };
  return { type: 'webhook', configuration: decision.configuration, name, round };
}

type Write = (path: string, entry: BlamedWrite) => void;

function recordChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  by: BlamedWriter,
  write: Write,
): void {
  if (before === undefined || after === undefined || before === after) return;
  for (const change of changesBetween(before, after)) {
    const removed = new Map(leavesIn(change.before, change.path));
    const present = new Map(leavesIn(change.after, change.path));
    for (const [path, value] of present) {
      if (!removed.has(path) || !sameJson(removed.get(path), value)) write(path, { by, value });
    }
    for (const path of removed.keys()) if (!present.has(path)) write(path, { by });
  }
}

/** The writer of a field that admission received. */
function createFirstWriter({ request, objectBefore }: Trace): (path: string, value: JsonValue) => BlamedWriter {
  const sent = new Map(leavesOf(isJsonObject(request.body) ? request.body : undefined));
  const stored = new Map(leavesOf(objectBefore));
  return (path, value) => {
    if (sameJson(sent.get(path), value) && sent.has(path)) return { type: 'client' };
    if (stored.has(path) && sameJson(stored.get(path), value)) return { type: 'stored' };
    // A patch changes what differs from the stored object.
    if (request.verb === 'patch' && objectBefore !== null && !path.startsWith('metadata.')) return { type: 'client' };
    return request.body === undefined || typeof request.body === 'string' ? { type: 'client' } : { type: 'server' };
  };
}

const leavesOf = (object: JsonValue | undefined): readonly (readonly [string, JsonValue])[] =>
  object === null ? [] : [...leavesIn(object, [])];

function* leavesIn(value: JsonValue | undefined, path: FieldPath): Generator<readonly [string, JsonValue]> {
  if (value === undefined || (path.length === 2 && path[1] === 'managedFields')) return;
  const inner = membersOf(value, path);
  if (inner.length === 0) yield [pathText(path), value];
  else for (const [deeper, one] of inner) yield* leavesIn(one, deeper);
}

/** `webhook proxy.example.com (sidecars)`, `the client`. */
export function writerText(writer: BlamedWriter): string {
  switch (writer.type) {
    case 'client':
      return 'the client';
    case 'stored':
      return 'stored before';
    case 'server':
      return 'the server';
    case 'plugin':
      return `plugin ${writer.name}${roundSuffix(writer.round)}`;
    case 'policy':
      return `policy ${writer.name}${roundSuffix(writer.round)}`;
    case 'webhook':
      return `webhook ${writer.name} (${writer.configuration})${roundSuffix(writer.round)}`;
  }
}

const roundSuffix = (round: 0 | 1): string => (round === 1 ? ', second round' : '');
