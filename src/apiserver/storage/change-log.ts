import { footprint } from '../../machinery/footprint.ts';
import { groupResourceText } from '../../machinery/meta/gvk.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { Change } from './cluster-cache.ts';
import type { Follower, WatchOutcome, Write } from './storage.ts';

/** What happened to each resource, for as long as it is remembered, and who wants to know of the next. */
export interface ChangeLog {
  readonly append: (resource: GroupResource, change: Change) => void;
  /** First every remembered change after `since`, then each new one, in order. */
  readonly follow: (resource: GroupResource, since: number, listener: (change: Change) => void) => WatchOutcome;
  /** Each new change of any resource, with the resource as `groupResourceText` says it, until closed. */
  readonly followEach: (listener: (resource: string, change: Change) => void) => () => void;
  /** The same as `follow` for all resources. */
  readonly followAll: (since: number, follower: Follower) => WatchOutcome;
  /** Every remembered change after `since`, oldest first; undefined when some are forgotten. */
  readonly after: (resource: GroupResource, since: number) => readonly Change[] | undefined;
  /** The same memory without its followers. */
  readonly fork: () => ChangeLog;
}

/** Changes remembered per resource; the oldest half is forgotten when there are twice as many. */
const remembered = 2000;

/** About so many bytes of changes are remembered of all resources; then half of those that take the most are forgotten. */
const rememberedBytes = 256 * 1024 * 1024;

interface Topic {
  readonly key: string;
  readonly resource: GroupResource;
  changes: Change[];
  /** About how many bytes each takes, and all of them. */
  weights: number[];
  bytes: number;
  /** Every change after this revision is in `changes`. */
  completeSince: number;
  readonly listeners: Set<(change: Change) => void>;
}

/** An empty log of what happens after `since`. */
export const createChangeLog = (since: number): ChangeLog => logOver(new Map(), since);

function logOver(topics: Map<string, Topic>, begun: number): ChangeLog {
  const remember = memoryOf(topics);
  const everyone = new Set<Follower>();
  const everywhere = new Set<(resource: string, change: Change) => void>();
  const topicOf = (resource: GroupResource): Topic => {
    const key = groupResourceText(resource);
    const known = topics.get(key);
    if (known) return known;
    const topic = topicSince(begun, key, resource);
    topics.set(key, topic);
    return topic;
  };
  return {
    append: (resource, change) => {
      const topic = topicOf(resource);
      remember(topic, change);
      for (const listener of topic.listeners) listener(change);
      for (const listener of everywhere) listener(topic.key, change);
      for (const follower of everyone) follower.wrote(writeOf(resource, change));
    },
    follow: (resource, since, listener) => {
      const topic = topicOf(resource);
      if (since < topic.completeSince) return { outcome: 'expired', oldest: topic.completeSince };
      for (const change of topic.changes.slice(firstAfter(topic.changes, since))) listener(change);
      // A watch may ask for a revision that is yet to come: nothing up to it concerns it.
      const later = (change: Change): void => (change.revision > since ? listener(change) : undefined);
      topic.listeners.add(later);
      return { outcome: 'watching', close: () => topic.listeners.delete(later) };
    },
    followEach: (listener) => {
      everywhere.add(listener);
      return () => everywhere.delete(listener);
    },
    followAll: (since, follower) => {
      const oldest = Math.max(begun, ...[...topics.values()].map(({ completeSince }) => completeSince));
      if (since < oldest) return { outcome: 'expired', oldest };
      for (const write of writesAfter(topics, since)) follower.wrote(write);
      everyone.add(follower);
      return { outcome: 'watching', close: () => everyone.delete(follower) };
    },
    after: (resource, since) => {
      const topic = topicOf(resource);
      return since < topic.completeSince ? undefined : topic.changes.slice(firstAfter(topic.changes, since));
    },
    fork: () => logOver(withoutListeners(topics), begun),
  };
}

const withoutListeners = (topics: ReadonlyMap<string, Topic>): Map<string, Topic> =>
  new Map(
    [...topics].map(([key, topic]) => [
      key,
      { ...topic, changes: [...topic.changes], weights: [...topic.weights], listeners: new Set() },
    ]),
  );

const topicSince = (completeSince: number, key: string, resource: GroupResource): Topic => ({
  key,
  resource,
  changes: [],
  weights: [],
  bytes: 0,
  completeSince,
  listeners: new Set(),
});

/** Remembers a change of one of these, and forgets what is too much of them all. */
function memoryOf(topics: ReadonlyMap<string, Topic>): (topic: Topic, change: Change) => void {
  let bytes = sum([...topics.values()].map((topic) => topic.bytes));
  return (topic, change) => {
    bytes += remember(topic, change);
    if (bytes > rememberedBytes) bytes += forgetOldest(heaviestOf(topics, topic));
  };
}

/** How many bytes more there are. */
function remember(topic: Topic, change: Change): number {
  const weight = footprint(change.object);
  topic.changes.push(change);
  topic.weights.push(weight);
  topic.bytes += weight;
  return topic.changes.length > 2 * remembered ? weight + forgetOldest(topic) : weight;
}

const heaviestOf = (topics: ReadonlyMap<string, Topic>, first: Topic): Topic =>
  [...topics.values()].reduce((heaviest, topic) => (topic.bytes > heaviest.bytes ? topic : heaviest), first);

/** The older half, unless it is the last one. How many bytes more there are. */
function forgetOldest(topic: Topic): number {
  const half = Math.floor(topic.changes.length / 2);
  topic.completeSince = topic.changes[half - 1]?.revision ?? topic.completeSince;
  topic.changes = topic.changes.slice(half);
  topic.weights = topic.weights.slice(half);
  const { bytes } = topic;
  topic.bytes = sum(topic.weights);
  return topic.bytes - bytes;
}

const sum = (weights: readonly number[]): number => weights.reduce((all, weight) => all + weight, 0);

/** What all resources went through after a revision, oldest first. */
const writesAfter = (topics: ReadonlyMap<string, Topic>, since: number): readonly Write[] =>
  [...topics.values()]
    .flatMap(({ resource, changes }) =>
      changes.slice(firstAfter(changes, since)).map((change) => writeOf(resource, change)),
    )
    .sort((a, b) => a.revision - b.revision);

function writeOf(resource: GroupResource, { type, object, revision }: Change): Write {
  const { namespace = '', name = '' } = metadataOf(object);
  return { key: { resource, namespace, name }, revision, ...(type === 'removed' ? {} : { object }) };
}

/** The index of the first change after `revision`, looked for from the end: most ask for what is new. */
const firstAfter = (changes: readonly Change[], revision: number): number =>
  changes.findLastIndex((change) => change.revision <= revision) + 1;
