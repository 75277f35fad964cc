import { ok, type Result } from '../machinery/meta/result.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import type { Storage, StoreKey } from '../apiserver/storage/storage.ts';
import { type ControllerContext, followResource } from './controller.ts';
import { coreV1 } from './served-resources.ts';
import { createWorkQueue, type QueueProgress } from './work-queue.ts';

const events = coreV1('events');

interface Expiration {
  readonly key: StoreKey;
  readonly revision: number;
  readonly at: number;
}

/** How long Events are stored. */
export interface EventTtl {
  /** In milliseconds. */
  readonly ttl: number;
  /**
   * Removes Events when they are due; else with the next write of an Event. A simulated clock must not advance for
   * this alone.
   */
  readonly isPunctual: boolean;
}

/**
 * Removes Events that were not written for `ttl`, as etcd does with leases. Follows kubernetes
 * pkg/registry/core/event/storage/storage.go.
 */
export function expireEvents(
  context: ControllerContext,
  storage: Storage,
  { ttl, isPunctual }: EventTtl,
): QueueProgress {
  const { clock } = context;
  /** All have the same ttl, so they are in the order of expiry. */
  const expirations = new Map<string, Expiration>();
  const sweep = async (): Promise<Result<undefined>> => {
    for (const [name, { key, revision, at }] of expirations) {
      if (at > clock.now()) {
        if (isPunctual) queue.addAfter('', at - clock.now());
        break;
      }
      expirations.delete(name);
      await storage.remove(key, revision);
    }
    return ok(undefined);
  };
  const queue = createWorkQueue<string>((all) => all, sweep, context);
  followResource(context, events, ({ type, object, revision }) => {
    const { namespace = '', name = '' } = metadataOf(object);
    expirations.delete(`${namespace}/${name}`);
    if (type === 'removed') return;
    expirations.set(`${namespace}/${name}`, {
      key: { resource: events, namespace, name },
      revision,
      at: clock.now() + ttl,
    });
    const [first] = expirations.values();
    if (isPunctual && expirations.size === 1) queue.addAfter('', ttl);
    if (!isPunctual && first && first.at <= clock.now()) queue.add('');
  });
  return queue.progress;
}
