import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import type { ApiClient } from '../client.ts';
import type { ControllerContext } from '../controller.ts';
import { coreV1, resourcePath } from '../served-resources.ts';
import { createWorkQueue, type QueueProgress } from '../work-queue.ts';

/** How an event is aggregated with similar ones; `family` is its key without the message. */
type Correlate = (family: string, message: string, now: number) => Correlated;

type Correlated =
  | { readonly outcome: 'new'; readonly message: string; readonly remember: (name: string) => void }
  | { readonly outcome: 'again'; readonly message: string; readonly name: string; readonly count: number }
  /** The rate limit of one object. */
  | { readonly outcome: 'dropped' };

interface EventFamily {
  messages: Set<string>;
  last: number;
}

interface EventRecord {
  readonly name: string;
  count: number;
}

const maxSimilar = 10;
const similarWindowMs = 600_000;
const burst = 25;
const refillMs = 300_000;
/** The oldest beyond this number are forgotten. */
const maxRecords = 4096;

/** Follows client-go tools/record/events_cache.go. */
function createCorrelator(): Correlate {
  const families = new Map<string, EventFamily>();
  const seen = new Map<string, EventRecord>();
  const buckets = new Map<string, { tokens: number; at: number }>();
  const aggregate = (family: string, message: string, now: number): readonly [key: string, message: string] => {
    const known = families.get(family);
    const record = known && now - known.last <= similarWindowMs ? known : { messages: new Set<string>(), last: now };
    record.last = now;
    setBounded(families, family, record);
    if (record.messages.has(message) || record.messages.size < maxSimilar - 1) {
      record.messages.add(message);
      return [`${family}\n${message}`, message];
    }
    return [family, `(combined from similar events): ${message}`];
  };
  const hasToken = (source: string, now: number): boolean => {
    const bucket = buckets.get(source) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / refillMs);
    setBounded(buckets, source, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    return tokens >= 1;
  };
  return (family, message, now) => {
    const [key, text] = aggregate(family, message, now);
    const before = seen.get(key);
    if (before) before.count += 1;
    if (!hasToken(family.slice(0, family.indexOf('\n')), now)) return { outcome: 'dropped' };
    if (before) return { outcome: 'again', message: text, name: before.name, count: before.count };
    return { outcome: 'new', message: text, remember: (name) => setBounded(seen, key, { name, count: 1 }) };
  };
}

function setBounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxRecords && oldest !== undefined) map.delete(oldest);
}

/** Writes Events in order. A refused Event is lost, as upstream. */
export interface EventRecorder {
  readonly event: (about: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string) => void;
  readonly progress: QueueProgress;
}

interface RecordedEvent {
  readonly about: KubernetesObject;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly now: number;
}

const events = coreV1('events');

/** `component`: the reporting component. Follows client-go tools/record/event.go. */
export function createEventRecorder(component: string, client: ApiClient, context: ControllerContext): EventRecorder {
  const unsent: RecordedEvent[] = [];
  const correlate = createCorrelator();
  let lastName = 0n;
  const send = async ({ about, type, reason, message, now }: RecordedEvent): Promise<void> => {
    const { namespace = '', name = '', uid = '' } = metadataOf(about);
    const place = namespace === '' ? 'default' : namespace;
    const correlated = correlate(`${uid}\n${type}\n${reason}`, message, now);
    if (correlated.outcome === 'dropped') return;
    const latest = { message: correlated.message, lastTimestamp: formatTime(now) };
    if (correlated.outcome === 'again') {
      const path = resourcePath(events, place, correlated.name);
      const body = { count: correlated.count, ...latest };
      await client({ method: 'PATCH', path, body, contentType: 'application/strategic-merge-patch+json' });
      return;
    }
    const nanoseconds = BigInt(Math.floor(now * 1000)) * 1000n;
    lastName = nanoseconds > lastName ? nanoseconds : lastName + 1n;
    const eventName = `${name}.${lastName.toString(16)}`;
    correlated.remember(eventName);
    const body = { ...createEvent(component, { about, type, reason, message, now }), ...latest };
    await client({
      method: 'POST',
      path: resourcePath(events, place),
      body: { ...body, metadata: { name: eventName, namespace: place } },
    });
  };
  // One key: events are written in sequence.
  const queue = createWorkQueue(
    () => '',
    async () => {
      for (let next = unsent.shift(); next; next = unsent.shift()) await send(next);
      return ok(undefined);
    },
    context,
  );
  return {
    event: (about, type, reason, message) => {
      unsent.push({ about, type, reason, message, now: context.clock.now() });
      queue.add(undefined);
    },
    progress: queue.progress,
  };
}

function createEvent(component: string, { about, type, reason, now }: RecordedEvent): KubernetesObject {
  const { namespace, name = '', uid, resourceVersion } = metadataOf(about);
  return {
    kind: 'Event',
    apiVersion: 'v1',
    involvedObject: {
      kind: about.kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      ...(uid === undefined ? {} : { uid }),
      apiVersion: about.apiVersion,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    reason,
    source: { component },
    firstTimestamp: formatTime(now),
    count: 1,
    type,
    reportingComponent: component,
    reportingInstance: '',
  };
}
