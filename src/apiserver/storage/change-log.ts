import { estimateMemoryBytes } from '../../machinery/memory-estimate.ts';
import { type GroupResource, groupResourceText } from '../../machinery/meta/gvk.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { CacheChange } from './cluster-cache.ts';
import type { Follower, WatchOutcome, StorageWrite } from './storage.ts';

/** The recent changes of each resource, and its watchers. */
export interface ChangeLog {
  readonly append: (resource: GroupResource, change: CacheChange) => void;
  /** Remembered changes after `since`, then new ones, in order. */
  readonly follow: (resource: GroupResource, since: number, listener: (change: CacheChange) => void) => WatchOutcome;
  /** New changes of all resources, until closed. */
  readonly followEach: (listener: (resource: string, change: CacheChange) => void) => () => void;
  readonly followAll: (since: number, follower: Follower) => WatchOutcome;
  /** undefined when some are forgotten. */
  readonly after: (resource: GroupResource, since: number) => readonly CacheChange[] | undefined;
  /** The same changes without watchers. */
  readonly fork: () => ChangeLog;
}

/** Per resource; beyond it the older half is dropped. */
const maxChanges = 4000;

/** Approximate bytes of all changes; then the largest topics lose half. */
const maxTotalBytes = 256 * 1024 * 1024;

interface ResourceLog {
  readonly key: string;
  readonly resource: GroupResource;
  changes: CacheChange[];
  /** Approximate bytes of each change, and of all. */
  weights: number[];
  bytes: number;
  /** `changes` is complete after this revision. */
  completeSince: number;
  readonly listeners: Set<(change: CacheChange) => void>;
}

export const createChangeLog = (since: number): ChangeLog => createLog(new Map(), since);

function createLog(topics: Map<string, ResourceLog>, startRevision: number): ChangeLog {
  const remember = createMemory(topics);
  const followers = new Set<Follower>();
  const listenersOfAll = new Set<(resource: string, change: CacheChange) => void>();
  const topicOf = (resource: GroupResource): ResourceLog => {
    const key = groupResourceText(resource);
    const known = topics.get(key);
    if (known) return known;
    const topic = createTopic(startRevision, key, resource);
    topics.set(key, topic);
    return topic;
  };
  return {
    append: (resource, change) => {
      const topic = topicOf(resource);
      remember(topic, change);
      for (const listener of topic.listeners) listener(change);
      for (const listener of listenersOfAll) listener(topic.key, change);
      for (const follower of followers) follower.onWrite(writeOf(resource, change));
    },
    follow: (resource, since, listener) => {
      const topic = topicOf(resource);
      if (since < topic.completeSince) return { outcome: 'expired', oldest: topic.completeSince };
      for (const change of topic.changes.slice(firstAfter(topic.changes, since))) listener(change);
      // A watch may start at a future revision.
      const later = (change: CacheChange): void => (change.revision > since ? listener(change) : undefined);
      topic.listeners.add(later);
      return { outcome: 'watching', close: () => topic.listeners.delete(later) };
    },
    followEach: (listener) => {
      listenersOfAll.add(listener);
      return () => listenersOfAll.delete(listener);
    },
    followAll: (since, follower) => {
      const oldest = Math.max(startRevision, ...[...topics.values()].map(({ completeSince }) => completeSince));
      if (since < oldest) return { outcome: 'expired', oldest };
      for (const write of writesAfter(topics, since)) follower.onWrite(write);
      followers.add(follower);
      return { outcome: 'watching', close: () => followers.delete(follower) };
    },
    after: (resource, since) => {
      const topic = topicOf(resource);
      return since < topic.completeSince ? undefined : topic.changes.slice(firstAfter(topic.changes, since));
    },
    fork: () => createLog(withoutListeners(topics), startRevision),
  };
}

const withoutListeners = (topics: ReadonlyMap<string, ResourceLog>): Map<string, ResourceLog> =>
  new Map(
    [...topics].map(([key, topic]) => [
      key,
      { ...topic, changes: [...topic.changes], weights: [...topic.weights], listeners: new Set() },
    ]),
  );

const createTopic = (completeSince: number, key: string, resource: GroupResource): ResourceLog => ({
  key,
  resource,
  changes: [],
  weights: [],
  bytes: 0,
  completeSince,
  listeners: new Set(),
});

/** Records a change and evicts old ones. */
function createMemory(topics: ReadonlyMap<string, ResourceLog>): (topic: ResourceLog, change: CacheChange) => void {
  let bytes = sum([...topics.values()].map((topic) => topic.bytes));
  return (topic, change) => {
    bytes += remember(topic, change);
    if (bytes > maxTotalBytes) bytes += forgetOldest(heaviestOf(topics, topic));
  };
}

/** Returns the growth in bytes. */
function remember(topic: ResourceLog, change: CacheChange): number {
  const weight = estimateMemoryBytes(change.object);
  topic.changes.push(change);
  topic.weights.push(weight);
  topic.bytes += weight;
  return topic.changes.length > maxChanges ? weight + forgetOldest(topic) : weight;
}

const heaviestOf = (topics: ReadonlyMap<string, ResourceLog>, first: ResourceLog): ResourceLog =>
  [...topics.values()].reduce((heaviest, topic) => (topic.bytes > heaviest.bytes ? topic : heaviest), first);

/** Drops the older half, but not the last; returns the growth in bytes. */
function forgetOldest(topic: ResourceLog): number {
  const half = Math.floor(topic.changes.length / 2);
  topic.completeSince = topic.changes[half - 1]?.revision ?? topic.completeSince;
  topic.changes = topic.changes.slice(half);
  topic.weights = topic.weights.slice(half);
  const { bytes } = topic;
  topic.bytes = sum(topic.weights);
  return topic.bytes - bytes;
}

const sum = (weights: readonly number[]): number => weights.reduce((all, weight) => all + weight, 0);

const writesAfter = (topics: ReadonlyMap<string, ResourceLog>, since: number): readonly StorageWrite[] =>
  [...topics.values()]
    .flatMap(({ resource, changes }) =>
      changes.slice(firstAfter(changes, since)).map((change) => writeOf(resource, change)),
    )
    .sort((a, b) => a.revision - b.revision);

function writeOf(resource: GroupResource, { type, object, revision }: CacheChange): StorageWrite {
  const { namespace = '', name = '' } = metadataOf(object);
  return { key: { resource, namespace, name }, revision, ...(type === 'removed' ? {} : { object }) };
}

const firstAfter = (changes: readonly CacheChange[], revision: number): number =>
  changes.findLastIndex((change) => change.revision <= revision) + 1;
