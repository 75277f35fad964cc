import type { Change, WatchOutcome } from './store.ts';

/** What happened to each resource, for as long as it is remembered, and who wants to know of the next. */
export interface ChangeLog {
  readonly append: (resource: string, change: Change) => void;
  /** First every remembered change after `since`, then each new one, in order. */
  readonly follow: (resource: string, since: number, listener: (change: Change) => void) => WatchOutcome;
  /** Every remembered change after `since`, oldest first; undefined when some are forgotten. */
  readonly after: (resource: string, since: number) => readonly Change[] | undefined;
  /** The same memory without its followers. */
  readonly fork: () => ChangeLog;
}

/** Changes remembered per resource; the oldest half is forgotten when there are twice as many. */
const remembered = 10_000;

interface Topic {
  changes: Change[];
  /** Every change after this revision is in `changes`. */
  completeSince: number;
  readonly listeners: Set<(change: Change) => void>;
}

export const createChangeLog = (): ChangeLog => logOver(new Map());

function logOver(topics: Map<string, Topic>): ChangeLog {
  const topicOf = (resource: string): Topic => {
    const known = topics.get(resource);
    if (known) return known;
    const topic: Topic = { changes: [], completeSince: 0, listeners: new Set() };
    topics.set(resource, topic);
    return topic;
  };
  return {
    append: (resource, change) => {
      const topic = topicOf(resource);
      topic.changes.push(change);
      if (topic.changes.length > 2 * remembered) {
        topic.completeSince = topic.changes[remembered - 1]?.revision ?? topic.completeSince;
        topic.changes = topic.changes.slice(remembered);
      }
      for (const listener of topic.listeners) listener(change);
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
    after: (resource, since) => {
      const topic = topicOf(resource);
      return since < topic.completeSince ? undefined : topic.changes.slice(firstAfter(topic.changes, since));
    },
    fork: () =>
      logOver(
        new Map(
          [...topics].map(([resource, topic]) => [
            resource,
            { ...topic, changes: [...topic.changes], listeners: new Set() },
          ]),
        ),
      ),
  };
}

/** The index of the first change after `revision`, by halving. */
function firstAfter(changes: readonly Change[], revision: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.revision ?? 0) > revision) high = middle;
    else low = middle + 1;
  }
  return low;
}
