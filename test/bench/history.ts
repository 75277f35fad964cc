/** What a client was told, and when it asked and heard of it: any two clocks of one process. */
export interface Acknowledged {
  readonly key: string;
  readonly act: 'create' | 'update' | 'delete' | 'read';
  /** Of the answer; an answer to a delete has none. */
  readonly revision?: number;
  readonly value?: string;
  readonly askedAt: number;
  readonly heardAt: number;
}

/** An event of the watch. */
export interface Observed {
  readonly key: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly value: string;
}

/** What clients were told and what the watch saw, checked against a model: a register for each key, moved by revisions. */
export interface History {
  readonly acknowledge: (act: Acknowledged) => void;
  /** The client hung up: the write may have happened, once. */
  readonly leaveOpen: (key: string) => void;
  readonly observe: (event: Observed) => void;
  readonly writes: () => number;
  /** Every way in which no order of the acts explains what was seen. */
  readonly faults: () => readonly string[];
}

interface Key {
  readonly acts: Acknowledged[];
  readonly events: Observed[];
  open: number;
}

export function createHistory(): History {
  const keys = new Map<string, Key>();
  const outOfOrder: string[] = [];
  let [writes, last] = [0, 0];
  const keyOf = (name: string): Key => {
    const known = keys.get(name) ?? { acts: [], events: [], open: 0 };
    keys.set(name, known);
    return known;
  };
  return {
    acknowledge: (act) => {
      keyOf(act.key).acts.push(act);
      if (act.act !== 'read') writes += 1;
    },
    leaveOpen: (key) => {
      keyOf(key).open += 1;
    },
    observe: (event) => {
      const { key, revision } = event;
      if (revision <= last) outOfOrder.push(`${key}: the watch shows revision ${revision} after ${last}`);
      last = Math.max(last, revision);
      keyOf(key).events.push(event);
    },
    writes: () => writes,
    faults: () => [
      ...outOfOrder,
      ...[...keys].flatMap(([name, key]) => faultsOf(key).map((fault) => `${name}: ${fault}`)),
    ],
  };
}

const types = { create: 'ADDED', update: 'MODIFIED', delete: 'DELETED' } as const;

function faultsOf(key: Key): readonly string[] {
  const index = indexOf(key);
  return [
    ...impossibleEvents(key),
    ...unmatched(key),
    ...key.acts.flatMap((act) => (act.act === 'read' ? readFaults(key, index, act) : writeFaults(key, index, act))),
    ...againstTime(key),
  ];
}

/** Where the event of a revision stands, and who was told of it. */
interface Index {
  readonly events: ReadonlyMap<number, number>;
  readonly acts: ReadonlyMap<number | undefined, Acknowledged>;
}

const indexOf = ({ acts, events }: Key): Index => ({
  events: new Map(events.map(({ revision }, at) => [revision, at])),
  acts: new Map(acts.filter(({ act }) => act !== 'read').map((act) => [act.revision, act])),
});

/** What is there cannot be added, what is not cannot change or go. */
function impossibleEvents({ events }: Key): readonly string[] {
  let isThere = false;
  return events.flatMap(({ type, revision }) => {
    const isPossible = isThere === (type !== 'ADDED');
    isThere = type !== 'DELETED';
    return isPossible ? [] : [`${type} at revision ${revision} does not follow from what was there`];
  });
}

/** An event is the work of somebody: of an acknowledged write, or of one whose client did not wait. */
function unmatched({ acts, events, open }: Key): readonly string[] {
  const acknowledged = acts.filter(({ act }) => act !== 'read').length;
  if (events.length > acknowledged + open)
    return [`${events.length} events for ${acknowledged} writes and ${open} open ones`];
  return events.length < acknowledged
    ? [`${acknowledged} writes were acknowledged, and the watch saw ${events.length}`]
    : [];
}

function writeFaults({ events }: Key, index: Index, { act, revision, value }: Acknowledged): readonly string[] {
  if (act === 'read') return [];
  const at =
    revision === undefined ? events.findLastIndex(({ type }) => type === types[act]) : index.events.get(revision);
  const seen = at === undefined ? undefined : events[at];
  if (seen?.type !== types[act])
    return [`${act} at revision ${revision ?? '?'} was acknowledged, and the watch did not see it`];
  return value === undefined || seen.value === value ? [] : [`${act} of ${value} was seen as ${seen.value}`];
}

/** A read shows a value that was there at some moment between question and answer. */
function readFaults(
  { events }: Key,
  index: Index,
  { revision = 0, value, askedAt, heardAt }: Acknowledged,
): readonly string[] {
  const at = index.events.get(revision) ?? -1;
  const shown = events[at];
  if (shown === undefined || shown.type === 'DELETED') return [`read revision ${revision}, which nobody wrote`];
  if (shown.value !== value) return [`read ${value} at revision ${revision}, which is ${shown.value}`];
  const next = events[at + 1];
  if (next !== undefined && wasHeard(index, next, askedAt)) {
    return [`read revision ${revision} after ${next.revision} was acknowledged`];
  }
  const isTooEarly = (index.acts.get(revision)?.askedAt ?? 0) > heardAt;
  return isTooEarly ? [`read revision ${revision} before anybody asked for it`] : [];
}

/** Had the writer of this event been told of it by then? A delete is told without its revision. */
function wasHeard(index: Index, { type, revision }: Observed, by: number): boolean {
  const act = index.acts.get(type === 'DELETED' ? undefined : revision);
  return act !== undefined && act.heardAt < by;
}

/** Of two writes of which one was over before the other was asked for, the later has the higher revision. */
function againstTime({ acts }: Key): readonly string[] {
  let [heard, highest] = [Number.NEGATIVE_INFINITY, 0];
  const written = acts.filter((act) => act.act !== 'read' && act.revision !== undefined);
  return written
    .toSorted((one, other) => one.askedAt - other.askedAt)
    .flatMap(({ act, revision = 0, askedAt, heardAt }) => {
      const fault = askedAt > heard && revision <= highest ? [`${act} got revision ${revision} after ${highest}`] : [];
      [heard, highest] = [Math.max(heard, heardAt), Math.max(highest, revision)];
      return fault;
    });
}
