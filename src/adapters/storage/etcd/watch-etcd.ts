import { errorText } from '../../../machinery/errors.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { withMetadata } from '../../../machinery/meta/object.ts';
import {
  type Follower,
  resourceVersionOf,
  type Storage,
  type StoreKey,
  type StorageWrite,
} from '../../../apiserver/storage/storage.ts';
import type { EtcdConnection, WatchCall } from './connection.ts';
import { decodeValue, type Layout } from './layout.ts';
import type { OwnWrites } from './writes.ts';
import type { KeyValue, WatchResponse } from './wire.ts';

interface Parts {
  readonly connection: EtcdConnection;
  readonly layout: Layout;
  readonly own: OwnWrites;
  readonly clock: Clock;
  /** Called when a watch ends and is opened again. */
  readonly onLost: (error: unknown) => void;
  readonly onUnreadable: (path: string, error: unknown) => void;
}

interface EtcdWatcher {
  readonly watchAll: Storage['watchAll'];
  /**
   * Expects this revision, which may be a write outside of the prefix: requests a progress notification if no event
   * arrives.
   */
  readonly expect: (revision: number) => void;
  readonly close: () => void;
}

/** Before a watch is reopened. */
const minBackoffMs = 100;
const maxPauseMs = 5000;
/** Before a progress notification is requested: events usually arrive first. */
const pollAfterMs = 200;

/** One watch of the prefix, reopened while it has listeners. */
export function watchEtcd(parts: Parts): EtcdWatcher {
  const open = new Set<Watching>();
  return {
    watchAll: (since, follower) => {
      const watching = watchFrom(since, follower, parts);
      open.add(watching);
      return {
        outcome: 'watching',
        close: () => {
          watching.close();
          open.delete(watching);
        },
      };
    },
    expect: (revision) => open.forEach((one) => one.expect(revision)),
    close: () => open.forEach((one) => one.close()),
  };
}

type Watching = Pick<EtcdWatcher, 'expect' | 'close'>;

function watchFrom(since: number, follower: Follower, parts: Parts): Watching {
  const { connection, clock, onLost } = parts;
  const ended = new AbortController();
  let call: WatchCall | undefined;
  let delivered = since;
  // Reopen after the last event: etcd before 3.4.25 may report progress ahead of its events.
  let lastEvent = since;
  let expectedRevision = since;
  let isPolling = false;
  const follow = async (): Promise<void> => {
    let pause = minBackoffMs;
    let lastError = '';
    while (!ended.signal.aborted) {
      const before = delivered;
      const loop = createLoop(parts, lastEvent, follower, (revision, isEvent) => {
        delivered = Math.max(delivered, revision);
        if (isEvent) lastEvent = revision;
      });
      const end = await readWatch(connection, loop, (opened) => (call = opened));
      call = undefined;
      if (ended.signal.aborted) return;
      if (end.outcome === 'compacted') return follower.onCompacted?.();
      const receivedMeanwhile = delivered > before;
      // Log a repeated error once.
      if (receivedMeanwhile || errorText(end.error) !== lastError) onLost(end.error);
      lastError = errorText(end.error);
      pause = receivedMeanwhile ? minBackoffMs : Math.min(pause * 2, maxPauseMs);
      await clock.sleep(pause, ended.signal);
    }
  };
  const pollRevision = async (): Promise<void> => {
    isPolling = true;
    while (expectedRevision > delivered && !ended.signal.aborted) {
      await clock.sleep(pollAfterMs, ended.signal);
      if (expectedRevision > delivered) call?.send({ progress: {} });
    }
    isPolling = false;
  };
  void follow();
  return {
    expect: (revision) => {
      expectedRevision = Math.max(expectedRevision, revision);
      if (!isPolling) void pollRevision();
    },
    close: () => {
      ended.abort();
      call?.cancel();
    },
  };
}

interface Loop {
  readonly create: object;
  readonly onResponse: (response: WatchResponse) => void;
}

type Reached = (revision: number, isEvent: boolean) => void;

function createLoop(
  { layout, own, onUnreadable }: Pick<Parts, 'layout' | 'own' | 'onUnreadable'>,
  since: number,
  follower: Follower,
  reached: Reached,
): Loop {
  /** Reports an unreadable object and continues. */
  const readable = (kv: KeyValue, key: StoreKey): Pick<StorageWrite, 'key' | 'object'> | undefined => {
    const ownWrite = own.take(kv.key.toString(), kv.value);
    if (ownWrite)
      return { key, object: withMetadata(ownWrite, { resourceVersion: resourceVersionOf(kv.modRevision) }) };
    try {
      return { key, object: decodeValue(kv).object };
    } catch (error) {
      onUnreadable(kv.key.toString(), error);
      return undefined;
    }
  };
  return {
    create: { create: { key: layout.root, rangeEnd: layout.end, startRevision: since + 1, progressNotify: true } },
    onResponse: ({ header, events, created }) => {
      for (const { type, kv } of events) {
        const key = layout.keyOf(kv.key.toString());
        const revision = kv.modRevision;
        if (!key) continue;
        const write = type === 0 ? readable(kv, key) : { key };
        if (write) follower.onWrite({ ...write, revision });
      }
      // Events of one revision arrive in one response.
      if (created) return;
      const revision = header.revision;
      const last = events.length === 0 ? revision : (events.at(-1)?.kv.modRevision ?? 0);
      reached(last, events.length > 0);
      follower.onProgress?.(last);
    },
  };
}

type End = { readonly outcome: 'compacted' } | { readonly outcome: 'ended'; readonly error: unknown };

const readWatch = (
  connection: EtcdConnection,
  { create, onResponse }: Loop,
  opened: (call: WatchCall) => void,
): Promise<End> =>
  new Promise((resolve) => {
    const call = connection.watch({
      received: (response) => {
        if (!response.canceled) return onResponse(response);
        call.cancel();
        const isCompacted = response.compactRevision !== 0;
        resolve(isCompacted ? { outcome: 'compacted' } : { outcome: 'ended', error: new Error(response.cancelReason) });
      },
      ended: (error) => resolve({ outcome: 'ended', error }),
    });
    opened(call);
    call.send(create);
  });
