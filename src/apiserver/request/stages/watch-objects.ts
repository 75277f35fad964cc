import type { Converted } from '../../../api/codec/codec.ts';
import { abortError } from '../../../machinery/errors.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import { failure, internalError } from '../../../machinery/meta/status.ts';
import type { YieldIfLong } from '../../../machinery/clock.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { definitionResource, servesAlike } from '../../custom-resources/definition.ts';
import type { CacheChange } from '../../storage/cluster-cache.ts';
import { resourceVersionOf } from '../../storage/storage.ts';
import type { OpenWatch, WatchEvent } from '../api-request.ts';
import { withParts, requirePart, type RequestTarget } from '../exchange.ts';
import { type DecodedListOptions, readListOptions } from '../list-options.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { awaitRevision, revisionWaitMs, revisionTooLarge } from './await-revision.ts';
import { viewKindOf } from './load-current.ts';
import { warnOfPending } from './list-objects.ts';

/**
 * From a revision, or from existing objects when it is absent or 0. Follows apiserver pkg/endpoints/handlers/watch.go
 * and pkg/storage/cacher.
 */
export const watchObjects = (deps: HandlerDeps): Stage => ({
  name: 'watch-objects',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    const options = readListOptions(exchange.request.query, target.resource, true);
    if (!options.ok) return options;
    warnOfPending(deps, exchange);
    const chosen = selectOneName(options.value, target);
    const wanted = initialRevision(chosen);
    if (!(await awaitRevision(deps, wanted, revisionWaitMs, exchange.request.signal()))) {
      return ok(
        withParts(exchange, {
          response: {
            type: 'watch',
            open: createFailedWatch(revisionTooLarge(chosen.resourceVersion ?? '0', deps.cluster.revision())),
          },
        }),
      );
    }
    return ok(
      withParts(exchange, {
        response: { type: 'watch', open: openWatch(deps, target, chosen) },
      }),
    );
  },
});

/** `/watch/…/NAME` selects one object. */
function selectOneName(options: DecodedListOptions, { info: { name } }: RequestTarget): DecodedListOptions {
  if (name === '') return options;
  return { ...options, filtered: true, selects: (object) => object.metadata?.name === name && options.selects(object) };
}

/** 0: any. Follows cacher.go waitUntilWatchCacheFreshAndForceAllEvents. */
const initialRevision = ({ allowWatchBookmarks, sendInitialEvents, resourceVersion }: DecodedListOptions): number =>
  allowWatchBookmarks && sendInitialEvents === true ? Number(resourceVersion ?? 0) : 0;

/** Errors of a valid watch request are its only event. */
const createFailedWatch =
  (object: JsonObject): OpenWatch =>
  (send, end) => {
    send({ type: 'ERROR', object });
    end();
    return () => {};
  };

/** The interval of bookmarks. */
const bookmarkEveryMs = 60_000;
/** Upstream picks 30 to 60 minutes. */
const maxMs = 45 * 60_000;
/** The maximum of timers. */
const unlimitedMs = 24 * 24 * 3_600_000;

function openWatch(deps: HandlerDeps, target: RequestTarget, options: DecodedListOptions): OpenWatch {
  return (send, end) => {
    const stopped = new AbortController();
    let isOver = false;
    const stop = (): void => {
      isOver = true;
      stopped.abort(abortError);
    };
    const kind = viewKindOf(target.resource);
    const view: View = (object) => target.codec.fromStorage(object, kind);
    const { deliver, deliverEach } = createDelivery(send, end);
    const requested = Number(options.resourceVersion ?? 0);
    const fromPresent = requested === 0 || options.sendInitialEvents === true;
    const since = fromPresent ? deps.cluster.revision() : requested;
    if (fromPresent && options.sendInitialEvents !== false) {
      const add = async (stored: KubernetesObject) => (isOver ? undefined : toAddedEvent(await view(stored), options));
      deliverEach(listPresent(deps, target), add, deps.yieldIfLong);
      if (options.allowWatchBookmarks) deliver(async () => bookmark(target, since, true));
    }
    const event = async (change: CacheChange) => (isOver ? undefined : toWatchEvent(change, options, view));
    /** Collected before `watch` returns; there may be many. */
    const missed: CacheChange[] = [];
    let isOpen = false;
    const watching = deps.cluster.watch(target.resource.storage, since, (change) => {
      if (isOver || !isInNamespace(target, change.object)) return;
      if (isOpen) deliver(async () => event(change));
      else missed.push(change);
    });
    if (watching.outcome === 'expired') {
      send({ type: 'ERROR', object: expired(requested, watching.oldest) });
      end();
      return stop;
    }
    deliverEach(missed, event, deps.yieldIfLong);
    isOpen = true;
    stopped.signal.addEventListener('abort', watching.close);
    endWithDefinition(deps, target, stopped.signal, end);
    void endAfterTimeout(deps, options, stopped.signal, end);
    if (options.allowWatchBookmarks) void sendPeriodicBookmarks(deps, target, stopped.signal, deliver);
    return stop;
  };
}

type View = (object: KubernetesObject) => Promise<Converted>;

const listPresent = ({ cluster }: HandlerDeps, { info, resource }: RequestTarget): readonly KubernetesObject[] =>
  cluster.list(resource.storage, resource.namespaced ? info.namespace || undefined : '');

function toAddedEvent(shown: Converted, options: DecodedListOptions): WatchEvent | undefined {
  if (shown.outcome === 'inconvertible') return toErrorEvent(shown);
  return options.selects(shown.object) ? { type: 'ADDED', object: shown.object } : undefined;
}

const toErrorEvent = ({ error }: Extract<Converted, { outcome: 'inconvertible' }>): WatchEvent => ({
  type: 'ERROR',
  object: internalError(error),
});

const isInNamespace = ({ info, resource }: RequestTarget, { metadata }: KubernetesObject): boolean =>
  !resource.namespaced || info.namespace === '' || metadata?.namespace === info.namespace;

const eventTypes = { created: 'ADDED', updated: 'MODIFIED', removed: 'DELETED' } as const;

/** Updates that enter or leave the selection are ADDED or DELETED. */
async function toWatchEvent(
  change: CacheChange,
  options: DecodedListOptions,
  view: View,
): Promise<WatchEvent | undefined> {
  const shown = await view(change.object);
  if (shown.outcome === 'inconvertible') return toErrorEvent(shown);
  const { object } = shown;
  if (!options.filtered) return { type: eventTypes[change.type], object };
  const curObjPasses = options.selects(object);
  if (change.type !== 'updated') return curObjPasses ? { type: eventTypes[change.type], object } : undefined;
  const before = await view(change.previous);
  const oldObjPasses = before.outcome === 'converted' && options.selects(before.object);
  if (curObjPasses) return { type: oldObjPasses ? 'MODIFIED' : 'ADDED', object };
  return before.outcome === 'converted' && oldObjPasses ? deletedEvent(before.object, object) : undefined;
}

/** Shows the object as it was in the selection. Follows apiserver pkg/storage/cacher/cache_watcher.go. */
const deletedEvent = (before: KubernetesObject, now: KubernetesObject): WatchEvent => ({
  type: 'DELETED',
  object: withMetadata(before, { resourceVersion: metadataOf(now).resourceVersion }),
});

function bookmark({ resource }: RequestTarget, revision: number, endsInitialEvents: boolean): WatchEvent {
  const metadata: JsonObject = {
    resourceVersion: resourceVersionOf(revision),
    ...(endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
  };
  return { type: 'BOOKMARK', object: { kind: resource.storage.kind, apiVersion: apiVersionOf(resource), metadata } };
}

const expired = (requested: number, oldest: number): JsonObject =>
  failure({ code: 410, reason: 'Expired', message: `too old resource version: ${requested} (${oldest})` });

/**
 * Random, up to twice the flag's value, so that watches end at different times. Follows apiserver
 * pkg/endpoints/handlers/get.go.
 */
export function timeoutMsOf({ minWatchMs, random }: Pick<HandlerDeps, 'minWatchMs' | 'random'>): number {
  if (minWatchMs === undefined) return maxMs;
  return minWatchMs <= 0 ? unlimitedMs : Math.min(minWatchMs * (1 + random()), unlimitedMs);
}

async function endAfterTimeout(
  deps: HandlerDeps,
  { timeoutSeconds }: DecodedListOptions,
  signal: AbortSignal,
  end: () => void,
): Promise<void> {
  // A negative time ends the watch at once.
  await deps.clock.sleep(timeoutSeconds === 0 ? timeoutMsOf(deps) : Math.max(0, timeoutSeconds * 1000), signal);
  if (!signal.aborted) end();
}

/**
 * A changed definition ends its watches. Follows apiextensions-apiserver pkg/apiserver/customresource_handler.go
 * updateCustomResourceDefinition.
 */
function endWithDefinition(
  { cluster }: HandlerDeps,
  { resource }: RequestTarget,
  signal: AbortSignal,
  end: () => void,
): void {
  if (!isCustomRow(resource)) return;
  const { definition } = resource.custom;
  const watching = cluster.watch(definitionResource, cluster.revision(), ({ type, object }) => {
    if (signal.aborted || metadataOf(object).uid !== metadataOf(definition).uid) return;
    if (type === 'removed' || !servesAlike(object, definition)) end();
  });
  if (watching.outcome === 'watching') signal.addEventListener('abort', watching.close);
}

async function sendPeriodicBookmarks(
  deps: HandlerDeps,
  target: RequestTarget,
  signal: AbortSignal,
  deliver: Delivery['deliver'],
): Promise<void> {
  for (;;) {
    await deps.clock.sleep(bookmarkEveryMs, signal);
    if (signal.aborted) return;
    const revision = deps.cluster.revision();
    deliver(async () => bookmark(target, revision, false));
  }
}

interface Delivery {
  /** Sends events in order; undefined is skipped. */
  readonly deliver: (make: () => Promise<WatchEvent | undefined>) => void;
  readonly deliverEach: <T>(
    items: readonly T[],
    make: (item: T) => Promise<WatchEvent | undefined>,
    yieldIfLong: YieldIfLong,
  ) => void;
}

/** A slow watcher is closed, as upstream does. */
const maxWaiting = 10_000;

/** Keeps the order of events, which a webhook may convert. An ERROR ends the watch. */
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
    if (waiting >= maxWaiting) return finish();
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
