import type { Converted } from '../../../api/codec/codec.ts';
import { aborted } from '../../../machinery/aborted.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import { failure, internalError } from '../../../machinery/meta/status.ts';
import type { YieldIfLong } from '../../../machinery/yield-if-long.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { definitionResource, servesAlike } from '../../custom-resources/definition.ts';
import type { Change } from '../../storage/cluster-cache.ts';
import { resourceVersionOf } from '../../storage/storage.ts';
import type { OpenWatch, WatchEvent } from '../api-request.ts';
import { changed, held } from '../exchange.ts';
import type { Target } from '../exchange.ts';
import { readListOptions } from '../list-options.ts';
import type { ListOptions } from '../list-options.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { awaitRevision, patienceMs, revisionTooLarge } from './await-revision.ts';
import { viewKindOf } from './load-current.ts';

/**
 * A stream of changes: from a revision on, or from the present objects when the revision is absent or 0.
 * Follows apiserver pkg/endpoints/handlers/watch.go and pkg/storage/cacher.
 */
export const watchObjects = (rooms: Rooms): Stage => ({
  name: 'watch-objects',
  run: async (exchange) => {
    const target = held(exchange.target, 'target');
    const options = readListOptions(exchange.request.query, target.resource, true);
    if (!options.ok) return options;
    const chosen = ofOneName(options.value, target);
    const wanted = initialRevision(chosen);
    if (!(await awaitRevision(rooms, wanted, patienceMs, exchange.request.signal))) {
      return ok(
        changed(exchange, {
          response: {
            type: 'watch',
            open: failedWatch(revisionTooLarge(chosen.resourceVersion ?? '0', rooms.cluster.revision())),
          },
        }),
      );
    }
    return ok(
      changed(exchange, {
        response: { type: 'watch', open: openWatch(rooms, target, chosen) },
      }),
    );
  },
});

/** `/watch/…/NAME` concerns that object alone. */
function ofOneName(options: ListOptions, { info: { name } }: Target): ListOptions {
  if (name === '') return options;
  return { ...options, filtered: true, selects: (object) => object.metadata?.name === name && options.selects(object) };
}

/** The state that must come first; 0 for any. Follows cacher.go waitUntilWatchCacheFreshAndForceAllEvents. */
const initialRevision = ({ allowWatchBookmarks, sendInitialEvents, resourceVersion }: ListOptions): number =>
  allowWatchBookmarks && sendInitialEvents === true ? Number(resourceVersion ?? 0) : 0;

/** What goes wrong once a watch is understood is its only event. */
const failedWatch =
  (object: JsonObject): OpenWatch =>
  (send, end) => {
    send({ type: 'ERROR', object });
    end();
    return () => {};
  };

/** How often an idle watch that allows it is told the present revision. */
const bookmarkEveryMs = 60_000;
/** The end of a watch whose client named none; upstream picks 30 to 60 minutes. */
const longestMs = 45 * 60_000;
/** Timers reach no further. */
const forGoodMs = 24 * 24 * 3_600_000;

function openWatch(rooms: Rooms, target: Target, options: ListOptions): OpenWatch {
  return (send, end) => {
    const stopped = new AbortController();
    let isOver = false;
    const stop = (): void => {
      isOver = true;
      stopped.abort(aborted);
    };
    const kind = viewKindOf(target.resource);
    const view: View = (object) => target.codec.fromStorage(object, kind);
    const { deliver, deliverEach } = createDelivery(send, end);
    const asked = Number(options.resourceVersion ?? 0);
    const fromPresent = asked === 0 || options.sendInitialEvents === true;
    const since = fromPresent ? rooms.cluster.revision() : asked;
    if (fromPresent && options.sendInitialEvents !== false) {
      const add = async (stored: KubernetesObject) => (isOver ? undefined : added(await view(stored), options));
      deliverEach(present(rooms, target), add, rooms.yieldIfLong);
      if (options.allowWatchBookmarks) deliver(async () => bookmark(target, since, true));
    }
    const event = async (change: Change) => (isOver ? undefined : eventOf(change, options, view));
    /** The changes after `since` arrive before `watch` returns, and there may be very many of them. */
    const missed: Change[] = [];
    let isOpen = false;
    const watching = rooms.cluster.watch(target.resource.storage, since, (change) => {
      if (isOver || !isInside(target, change.object)) return;
      if (isOpen) deliver(async () => event(change));
      else missed.push(change);
    });
    if (watching.outcome === 'expired') {
      send({ type: 'ERROR', object: expired(asked, watching.oldest) });
      end();
      return stop;
    }
    deliverEach(missed, event, rooms.yieldIfLong);
    isOpen = true;
    stopped.signal.addEventListener('abort', watching.close);
    endWithDefinition(rooms, target, stopped.signal, end);
    void endLater(rooms, options, stopped.signal, end);
    if (options.allowWatchBookmarks) void bookmarkNowAndThen(rooms, target, stopped.signal, deliver);
    return stop;
  };
}

type View = (object: KubernetesObject) => Promise<Converted>;

const present = ({ cluster }: Rooms, { info, resource }: Target): readonly KubernetesObject[] =>
  cluster.list(resource.storage, resource.namespaced ? info.namespace || undefined : '');

function added(shown: Converted, options: ListOptions): WatchEvent | undefined {
  if (shown.outcome === 'inconvertible') return failed(shown);
  return options.selects(shown.object) ? { type: 'ADDED', object: shown.object } : undefined;
}

const failed = ({ error }: Extract<Converted, { outcome: 'inconvertible' }>): WatchEvent => ({
  type: 'ERROR',
  object: internalError(error),
});

const isInside = ({ info, resource }: Target, { metadata }: KubernetesObject): boolean =>
  !resource.namespaced || info.namespace === '' || metadata?.namespace === info.namespace;

const eventTypes = { created: 'ADDED', updated: 'MODIFIED', removed: 'DELETED' } as const;

/** An update across the selector's border looks like an arrival or a departure. */
async function eventOf(change: Change, options: ListOptions, view: View): Promise<WatchEvent | undefined> {
  const shown = await view(change.object);
  if (shown.outcome === 'inconvertible') return failed(shown);
  const { object } = shown;
  if (!options.filtered) return { type: eventTypes[change.type], object };
  const isIn = options.selects(object);
  if (change.type !== 'updated') return isIn ? { type: eventTypes[change.type], object } : undefined;
  const before = await view(change.previous);
  const wasIn = before.outcome === 'converted' && options.selects(before.object);
  if (isIn) return { type: wasIn ? 'MODIFIED' : 'ADDED', object };
  return before.outcome === 'converted' && wasIn ? departure(before.object, object) : undefined;
}

/** What has left a selection is shown as it was in it. Follows apiserver pkg/storage/cacher/cache_watcher.go. */
const departure = (before: KubernetesObject, now: KubernetesObject): WatchEvent => ({
  type: 'DELETED',
  object: withMetadata(before, { resourceVersion: metadataOf(now).resourceVersion }),
});

function bookmark({ resource }: Target, revision: number, endsInitialEvents: boolean): WatchEvent {
  const metadata: JsonObject = {
    resourceVersion: resourceVersionOf(revision),
    ...(endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
  };
  return { type: 'BOOKMARK', object: { kind: resource.storage.kind, apiVersion: apiVersionOf(resource), metadata } };
}

const expired = (asked: number, oldest: number): JsonObject =>
  failure({ code: 410, reason: 'Expired', message: `too old resource version: ${asked} (${oldest})` });

/** Up to twice as long as the flag says, so that not all end at once. Follows apiserver pkg/endpoints/handlers/get.go. */
export function lastingMs({ leastWatchMs, random }: Pick<Rooms, 'leastWatchMs' | 'random'>): number {
  if (leastWatchMs === undefined) return longestMs;
  return leastWatchMs <= 0 ? forGoodMs : Math.min(leastWatchMs * (1 + random()), forGoodMs);
}

async function endLater(
  rooms: Rooms,
  { timeoutSeconds }: ListOptions,
  signal: AbortSignal,
  end: () => void,
): Promise<void> {
  // Less than none is over at once.
  await rooms.clock.sleep(timeoutSeconds === 0 ? lastingMs(rooms) : Math.max(0, timeoutSeconds * 1000), signal);
  if (!signal.aborted) end();
}

/**
 * A watch of custom resources ends when what they are changes: clients open it again.
 * Follows apiextensions-apiserver pkg/apiserver/customresource_handler.go updateCustomResourceDefinition.
 */
function endWithDefinition({ cluster }: Rooms, { resource }: Target, signal: AbortSignal, end: () => void): void {
  if (!isCustomRow(resource)) return;
  const { definition } = resource.custom;
  const watching = cluster.watch(definitionResource, cluster.revision(), ({ type, object }) => {
    if (signal.aborted || metadataOf(object).uid !== metadataOf(definition).uid) return;
    if (type === 'removed' || !servesAlike(object, definition)) end();
  });
  if (watching.outcome === 'watching') signal.addEventListener('abort', watching.close);
}

async function bookmarkNowAndThen(
  rooms: Rooms,
  target: Target,
  signal: AbortSignal,
  deliver: Delivery['deliver'],
): Promise<void> {
  for (;;) {
    await rooms.clock.sleep(bookmarkEveryMs, signal);
    if (signal.aborted) return;
    const revision = rooms.cluster.revision();
    deliver(async () => bookmark(target, revision, false));
  }
}

/** Events on their way to one watcher. */
interface Delivery {
  /** Sends the event when those before it are sent; undefined is none. */
  readonly deliver: (make: () => Promise<WatchEvent | undefined>) => void;
  /** The same for the event of each item. */
  readonly deliverEach: <T>(
    items: readonly T[],
    make: (item: T) => Promise<WatchEvent | undefined>,
    yieldIfLong: YieldIfLong,
  ) => void;
}

/** The watch of a client that reads too slowly ends, as upstream ends it. */
const mostWaiting = 10_000;

/** Keeps the order of events, some of which a webhook converts. An ERROR is the last event of a watch. */
export function createDelivery(send: (event: WatchEvent) => void, end: () => void): Delivery {
  let last = Promise.resolve();
  let waiting = 0;
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    end();
  };
  const sendOne = (event: WatchEvent | undefined): void => {
    if (!event || isOver) return;
    send(event);
    if (event.type === 'ERROR') finish();
  };
  const sendAfter = (act: () => Promise<void>): void => {
    if (isOver) return;
    if (waiting >= mostWaiting) return finish();
    waiting += 1;
    last = last.then(act).then(() => {
      waiting -= 1;
    });
  };
  return {
    deliver: (make) => sendAfter(async () => sendOne(await make())),
    deliverEach: (items, make, yieldIfLong) =>
      sendAfter(async () => {
        for (const item of items) {
          if (isOver) return;
          sendOne(await make(item));
          await yieldIfLong();
        }
      }),
  };
}
