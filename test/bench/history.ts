/** A response that a client received, and the times of its request and response, of any clock of one process. */
export interface Acknowledged {
  readonly key: string;
  readonly act: 'create' | 'update' | 'delete' | 'read';
  /** Of the answer; an answer to a delete has none. */
  readonly revision?: number;
  readonly value?: string;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** An event of the watch. */
export interface Observed {
  readonly key: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly value: string;
}

/** Responses and watch events, checked against a model: a register for each key, moved by revisions. */
export interface History {
  readonly acknowledge: (act: Acknowledged) => void;
  /** The client disconnected: the write may have happened, once. */
  readonly leaveOpen: (key: string) => void;
  readonly observe: (event: Observed) => void;
  readonly writes: () => number;
  /** Every contradiction to all possible orders of the acts. */
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
  const keyState = (name: string): Key => {
    const state = keys.get(name) ?? { acts: [], events: [], open: 0 };
    keys.set(name, state);
    return state;
  };
  return {
    acknowledge: (act) => {
      keyState(act.key).acts.push(act);
      if (act.act !== 'read') writes += 1;
    },
    leaveOpen: (key) => {
      keyState(key).open += 1;
    },
    observe: (event) => {
      const { key, revision } = event;
      if (revision <= last) outOfOrder.push(`${key}: the watch shows revision ${revision} after ${last}`);
      last = Math.max(last, revision);
      keyState(key).events.push(event);
    },
    writes: () => writes,
    faults: () => [
      ...outOfOrder,
      ...[...keys].flatMap(([name, key]) => keyFaults(key).map((fault) => `${name}: ${fault}`)),
    ],
  };
}

const types = { create: 'ADDED', update: 'MODIFIED', delete: 'DELETED' } as const;

function keyFaults(key: Key): readonly string[] {
  const index = createIndex(key);
  return [
    ...impossibleEvents(key),
    ...countFaults(key),
    ...key.acts.flatMap((act) => (act.act === 'read' ? readFaults(key, index, act) : writeFaults(key, index, act))),
    ...timeFaults(key),
  ];
}

/** By revision: the position of its event, and its acknowledged write. */
interface Index {
  readonly events: ReadonlyMap<number, number>;
  readonly acts: ReadonlyMap<number | undefined, Acknowledged>;
}

const createIndex = ({ acts, events }: Key): Index => ({
  events: new Map(events.map(({ revision }, at) => [revision, at])),
  acts: new Map(acts.filter(({ act }) => act !== 'read').map((act) => [act.revision, act])),
});

/** An existing object cannot be added; only an existing one can be modified or deleted. */
function impossibleEvents({ events }: Key): readonly string[] {
  let exists = false;
  return events.flatMap(({ type, revision }) => {
    const isPossible = exists === (type !== 'ADDED');
    exists = type !== 'DELETED';
    return isPossible ? [] : [`${type} at revision ${revision} does not follow from the state before`];
  });
}

/** Every event belongs to an acknowledged write, or to one whose client did not wait. */
function countFaults({ acts, events, open }: Key): readonly string[] {
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
  const event = at === undefined ? undefined : events[at];
  if (event?.type !== types[act])
    return [`${act} at revision ${revision ?? '?'} was acknowledged, and the watch did not see it`];
  return value === undefined || event.value === value ? [] : [`${act} of ${value} was observed as ${event.value}`];
}

/** A read shows a value that existed at some moment between request and response. */
function readFaults(
  { events }: Key,
  index: Index,
  { revision = 0, value, sentAt, receivedAt }: Acknowledged,
): readonly string[] {
  const at = index.events.get(revision) ?? -1;
  const shown = events[at];
  if (shown === undefined || shown.type === 'DELETED') return [`read revision ${revision}, which was never written`];
  if (shown.value !== value) return [`read ${value} at revision ${revision}, which is ${shown.value}`];
  const next = events[at + 1];
  if (next !== undefined && wasAcknowledged(index, next, sentAt)) {
    return [`read revision ${revision} after ${next.revision} was acknowledged`];
  }
  const isTooEarly = (index.acts.get(revision)?.sentAt ?? 0) > receivedAt;
  return isTooEarly ? [`read revision ${revision} before its write was sent`] : [];
}

/** Whether the write of this event was acknowledged by then. The response to a delete has no revision. */
function wasAcknowledged(index: Index, { type, revision }: Observed, by: number): boolean {
  const act = index.acts.get(type === 'DELETED' ? undefined : revision);
  return act !== undefined && act.receivedAt < by;
}

/** Of two writes of which one was acknowledged before the other was sent, the later has the higher revision. */
function timeFaults({ acts }: Key): readonly string[] {
  let [received, highest] = [Number.NEGATIVE_INFINITY, 0];
  const written = acts.filter((act) => act.act !== 'read' && act.revision !== undefined);
  return written
    .toSorted((a, b) => a.sentAt - b.sentAt)
    .flatMap(({ act, revision = 0, sentAt, receivedAt }) => {
      const fault =
        sentAt > received && revision <= highest ? [`${act} got revision ${revision} after ${highest}`] : [];
      [received, highest] = [Math.max(received, receivedAt), Math.max(highest, revision)];
      return fault;
    });
}
