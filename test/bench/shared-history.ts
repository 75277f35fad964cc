/** What one client asked for and what came of it. Times are of any clock of one process. */
export interface SharedAct {
  readonly key: string;
  readonly act: 'create' | 'update' | 'delete' | 'read';
  /** What was sent; of a read what it showed. Nobody sends a value twice. */
  readonly value?: string;
  /** The revision that an update or a delete was to replace. */
  readonly expected?: number;
  /** 'open': nobody said what came of it, or the server said that it does not know. */
  readonly outcome: 'done' | 'refused' | 'open';
  /** Of the answer; an answer to a delete has none. */
  readonly revision?: number;
  readonly askedAt: number;
  readonly heardAt: number;
}

/** An event, as the storage remembers it or as a watch told it. */
export interface SharedEvent {
  readonly key: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** Of a removal '': etcd does not tell what was removed. */
  readonly value: string;
}

export interface Kept {
  readonly revision: number;
  readonly value: string;
}

/** What one watch told without a break after `since`; `upTo`: it was waited for until it had come so far. */
export interface Watched {
  readonly name: string;
  readonly since: number;
  /** What the list showed that it began with; absent when it went on where another had ended. */
  readonly listed?: ReadonlyMap<string, Kept>;
  readonly events: readonly SharedEvent[];
  readonly upTo?: number;
}

/** What the storage itself remembers: every revision, oldest first, and what was there before them. */
export interface Truth {
  readonly before: ReadonlyMap<string, Kept>;
  readonly events: readonly SharedEvent[];
}

/** What answers and watches say that the storage's own history does not bear out. */
export function sharedFaults(truth: Truth, acts: readonly SharedAct[], watches: readonly Watched[]): readonly string[] {
  const past = pastOf(truth, acts);
  return [
    ...doubled(truth, acts),
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
  /** By the revision of a write when its client was told of it. */
  readonly heard: ReadonlyMap<number, number>;
}

function pastOf({ before, events }: Truth, acts: readonly SharedAct[]): Past {
  const replaced = new Map<number, number | undefined>();
  const next = new Map<number, SharedEvent>();
  const there = new Map([...before].map(([key, { revision }]) => [key, revision]));
  for (const event of events) {
    const previous = there.get(event.key);
    replaced.set(event.revision, previous);
    if (previous !== undefined) next.set(previous, event);
    if (event.type === 'DELETED') there.delete(event.key);
    else there.set(event.key, event.revision);
  }
  const heard = acts.flatMap(({ act, outcome, revision, expected, heardAt }) => {
    if (act === 'read' || outcome !== 'done') return [];
    const at = act === 'delete' ? next.get(expected ?? 0)?.revision : revision;
    return at === undefined ? [] : ([[at, heardAt]] as const);
  });
  return {
    byValue: new Map(events.filter(({ type }) => type !== 'DELETED').map((event) => [event.value, event])),
    byRevision: new Map(events.map((event) => [event.revision, event])),
    replaced,
    next,
    heard: new Map(heard),
  };
}

/** Every value is written once at most, and by somebody; no revision is given to two writes. */
function doubled({ events }: Truth, acts: readonly SharedAct[]): readonly string[] {
  const writes = acts.filter(({ act }) => act !== 'read');
  const written = events.filter(({ type }) => type !== 'DELETED').map(({ value }) => value);
  const given = writes.flatMap(({ outcome, revision }) => (outcome === 'done' ? (revision ?? []) : []));
  const sent = new Set(writes.map(({ value }) => value));
  return [
    ...twice(written).map((value) => `${value} was written twice`),
    ...written.filter((value) => !sent.has(value)).map((value) => `${value} was written, and nobody asked for it`),
    ...twice(given).map((revision) => `revision ${revision} was given twice`),
  ];
}

function twice<T>(all: readonly T[]): readonly T[] {
  const seen = new Set<T>();
  return all.filter((one) => seen.size === seen.add(one).size);
}

function actFaults(past: Past, act: SharedAct): readonly string[] {
  if (act.act === 'read') return act.outcome === 'done' ? readFaults(past, act) : [];
  const event = act.act === 'delete' ? removalOf(past, act) : past.byValue.get(act.value ?? '');
  if (act.outcome === 'refused') {
    // Of two who delete the same revision one is refused, and it is gone all the same.
    return event && act.act !== 'delete' ? [`${act.value} was refused, and is there at ${event.revision}`] : [];
  }
  if (event) return writtenFaults(act, event, past.replaced.get(event.revision));
  return act.outcome === 'open' ? [] : [`acknowledged at ${act.revision ?? '?'}, and not there`];
}

const writtenFaults = (
  { revision, expected }: SharedAct,
  event: SharedEvent,
  replaced: number | undefined,
): readonly string[] => [
  ...(revision === undefined || revision === event.revision
    ? []
    : [`acknowledged at ${revision}, and there at ${event.revision}`]),
  ...(replaced === expected ? [] : [`was to replace ${expected ?? 'nothing'}, and replaced ${replaced ?? 'nothing'}`]),
];

/** The removal of the revision that a delete named. */
function removalOf(past: Past, { expected }: SharedAct): SharedEvent | undefined {
  const next = past.next.get(expected ?? 0);
  return next?.type === 'DELETED' ? next : undefined;
}

/** A read shows what was there at some moment between question and answer. */
function readFaults(past: Past, { revision = 0, value, askedAt }: SharedAct): readonly string[] {
  const event = past.byRevision.get(revision);
  if (event && event.value !== value) return [`read ${value} at ${revision}, which is ${event.value}`];
  const next = past.next.get(revision);
  const isStale = next !== undefined && (past.heard.get(next.revision) ?? Number.POSITIVE_INFINITY) < askedAt;
  return isStale ? [`read ${revision} after ${next.revision} was acknowledged`] : [];
}

/** A watch shows every revision once, in order, as it was; the list before it shows what was there then. */
function watchFaults(truth: Truth, { since, listed, events, upTo }: Watched): readonly string[] {
  const end = Math.max(since, events.at(-1)?.revision ?? 0, upTo ?? 0);
  const due = truth.events.filter(({ revision }) => revision > since && revision <= end);
  const [wanted, told] = [due.map(textOf), events.map(textOf)];
  const at = wanted.findIndex((text, index) => text !== told[index]);
  const wrong = at >= 0 || told.length > wanted.length ? Math.max(at, at < 0 ? wanted.length : 0) : -1;
  return [
    ...(wrong < 0 ? [] : [`told ${told[wrong] ?? 'nothing more'} where ${wanted[wrong] ?? 'nothing'} was due`]),
    ...(listed ? listFaults(truth, since, listed) : []),
  ];
}

const textOf = ({ key, type, revision, value }: SharedEvent): string =>
  `${type} ${key} ${revision}${type === 'DELETED' ? '' : ` ${value}`}`;

function listFaults({ before, events }: Truth, at: number, listed: ReadonlyMap<string, Kept>): readonly string[] {
  const state = new Map(before);
  for (const { key, type, revision, value } of events) {
    if (revision > at) break;
    if (type === 'DELETED') state.delete(key);
    else state.set(key, { revision, value });
  }
  const shown = (from: ReadonlyMap<string, Kept>, key: string): string => {
    const one = from.get(key);
    return one ? `${one.value} at ${one.revision}` : 'nothing';
  };
  return [...new Set([...state.keys(), ...listed.keys()])].flatMap((key) =>
    shown(state, key) === shown(listed, key)
      ? []
      : [`the list at ${at} shows ${shown(listed, key)} of ${key}, and there was ${shown(state, key)}`],
  );
}
