/** The request of one client and its outcome. Times are of any clock of one process. */
export interface SharedAct {
  readonly key: string;
  readonly act: 'create' | 'update' | 'delete' | 'read';
  /** The value sent, or read. Every value is sent once. */
  readonly value?: string;
  /** The revision that an update or a delete was to replace. */
  readonly expected?: number;
  /** 'open': no response, or one that says that the outcome is unknown. */
  readonly outcome: 'done' | 'refused' | 'open';
  /** Of the answer; an answer to a delete has none. */
  readonly revision?: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** An event of the storage's history, or of a watch. */
export interface SharedEvent {
  readonly key: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** '' for a deletion: etcd does not send the deleted value. */
  readonly value: string;
}

export interface StoredValue {
  readonly revision: number;
  readonly value: string;
}

/** The events of one watch after `since`, without a gap; it was awaited up to `upTo`. */
export interface WatchedEvents {
  readonly name: string;
  readonly since: number;
  /** The list before it; absent when it continued after another watch. */
  readonly listed?: ReadonlyMap<string, StoredValue>;
  readonly events: readonly SharedEvent[];
  readonly upTo?: number;
}

/** The storage's own history: every revision, oldest first, and the state before them. */
export interface Truth {
  readonly before: ReadonlyMap<string, StoredValue>;
  readonly events: readonly SharedEvent[];
}

/** What responses and watches contradict in the storage's own history. */
export function sharedFaults(
  truth: Truth,
  acts: readonly SharedAct[],
  watches: readonly WatchedEvents[],
): readonly string[] {
  const past = createPast(truth, acts);
  return [
    ...duplicates(truth, acts),
    ...acts.flatMap((act) => actFaults(past, act).map((fault) => `${act.act} ${act.key}: ${fault}`)),
    ...watches.flatMap((watch) => watchFaults(truth, watch).map((fault) => `${watch.name}: ${fault}`)),
  ];
}

interface Past {
  readonly byValue: ReadonlyMap<string, SharedEvent>;
  readonly byRevision: ReadonlyMap<number, SharedEvent>;
  /** By the revision of a write the revision that it replaced. */
  readonly replaced: ReadonlyMap<number, number | undefined>;
  /** By a revision the write that replaced it. */
  readonly next: ReadonlyMap<number, SharedEvent>;
  /** By the revision of a write: the time of its response. */
  readonly acknowledgedAt: ReadonlyMap<number, number>;
}

function createPast({ before, events }: Truth, acts: readonly SharedAct[]): Past {
  const replaced = new Map<number, number | undefined>();
  const next = new Map<number, SharedEvent>();
  const current = new Map([...before].map(([key, { revision }]) => [key, revision]));
  for (const event of events) {
    const previous = current.get(event.key);
    replaced.set(event.revision, previous);
    if (previous !== undefined) next.set(previous, event);
    if (event.type === 'DELETED') current.delete(event.key);
    else current.set(event.key, event.revision);
  }
  const acknowledged = acts.flatMap(({ act, outcome, revision, expected, receivedAt }) => {
    if (act === 'read' || outcome !== 'done') return [];
    const at = act === 'delete' ? next.get(expected ?? 0)?.revision : revision;
    return at === undefined ? [] : ([[at, receivedAt]] as const);
  });
  return {
    byValue: new Map(events.filter(({ type }) => type !== 'DELETED').map((event) => [event.value, event])),
    byRevision: new Map(events.map((event) => [event.revision, event])),
    replaced,
    next,
    acknowledgedAt: new Map(acknowledged),
  };
}

/** Every written value was sent, and is written at most once; no revision belongs to two writes. */
function duplicates({ events }: Truth, acts: readonly SharedAct[]): readonly string[] {
  const writes = acts.filter(({ act }) => act !== 'read');
  const written = events.filter(({ type }) => type !== 'DELETED').map(({ value }) => value);
  const revisions = writes.flatMap(({ outcome, revision }) => (outcome === 'done' ? (revision ?? []) : []));
  const sent = new Set(writes.map(({ value }) => value));
  return [
    ...repeated(written).map((value) => `${value} was written twice`),
    ...written.filter((value) => !sent.has(value)).map((value) => `${value} was written, and never sent`),
    ...repeated(revisions).map((revision) => `revision ${revision} was used twice`),
  ];
}

function repeated<T>(items: readonly T[]): readonly T[] {
  const visited = new Set<T>();
  return items.filter((item) => visited.size === visited.add(item).size);
}

function actFaults(past: Past, act: SharedAct): readonly string[] {
  if (act.act === 'read') return act.outcome === 'done' ? readFaults(past, act) : [];
  const event = act.act === 'delete' ? findDeletion(past, act) : past.byValue.get(act.value ?? '');
  if (act.outcome === 'refused') {
    // Of two deletes of the same revision one is refused, and the object is deleted.
    return event && act.act !== 'delete' ? [`${act.value} was refused, and is stored at ${event.revision}`] : [];
  }
  if (event) return writtenFaults(act, event, past.replaced.get(event.revision));
  return act.outcome === 'open' ? [] : [`acknowledged at ${act.revision ?? '?'}, and not stored`];
}

const writtenFaults = (
  { revision, expected }: SharedAct,
  event: SharedEvent,
  replaced: number | undefined,
): readonly string[] => [
  ...(revision === undefined || revision === event.revision
    ? []
    : [`acknowledged at ${revision}, and stored at ${event.revision}`]),
  ...(replaced === expected ? [] : [`was to replace ${expected ?? 'nothing'}, and replaced ${replaced ?? 'nothing'}`]),
];

/** The deletion of the revision that a delete named. */
function findDeletion(past: Past, { expected }: SharedAct): SharedEvent | undefined {
  const next = past.next.get(expected ?? 0);
  return next?.type === 'DELETED' ? next : undefined;
}

/** A read shows a value that existed at some moment between request and response. */
function readFaults(past: Past, { revision = 0, value, sentAt }: SharedAct): readonly string[] {
  const event = past.byRevision.get(revision);
  if (event && event.value !== value) return [`read ${value} at ${revision}, which is ${event.value}`];
  const next = past.next.get(revision);
  const isStale = next !== undefined && (past.acknowledgedAt.get(next.revision) ?? Number.POSITIVE_INFINITY) < sentAt;
  return isStale ? [`read ${revision} after ${next.revision} was acknowledged`] : [];
}

/** A watch shows every revision once and in order; the list before it shows the state at its revision. */
function watchFaults(truth: Truth, { since, listed, events, upTo }: WatchedEvents): readonly string[] {
  const end = Math.max(since, events.at(-1)?.revision ?? 0, upTo ?? 0);
  const due = truth.events.filter(({ revision }) => revision > since && revision <= end);
  const [expected, received] = [due.map(eventText), events.map(eventText)];
  const at = expected.findIndex((text, index) => text !== received[index]);
  const wrong = at >= 0 || received.length > expected.length ? Math.max(at, at < 0 ? expected.length : 0) : -1;
  return [
    ...(wrong < 0 ? [] : [`received ${received[wrong] ?? 'nothing more'}, expected ${expected[wrong] ?? 'nothing'}`]),
    ...(listed ? listFaults(truth, since, listed) : []),
  ];
}

const eventText = ({ key, type, revision, value }: SharedEvent): string =>
  `${type} ${key} ${revision}${type === 'DELETED' ? '' : ` ${value}`}`;

function listFaults(
  { before, events }: Truth,
  at: number,
  listed: ReadonlyMap<string, StoredValue>,
): readonly string[] {
  const state = new Map(before);
  for (const { key, type, revision, value } of events) {
    if (revision > at) break;
    if (type === 'DELETED') state.delete(key);
    else state.set(key, { revision, value });
  }
  const render = (values: ReadonlyMap<string, StoredValue>, key: string): string => {
    const stored = values.get(key);
    return stored ? `${stored.value} at ${stored.revision}` : 'nothing';
  };
  return [...new Set([...state.keys(), ...listed.keys()])].flatMap((key) =>
    render(state, key) === render(listed, key)
      ? []
      : [`the list at ${at} shows ${render(listed, key)} of ${key}, and the state was ${render(state, key)}`],
  );
}
