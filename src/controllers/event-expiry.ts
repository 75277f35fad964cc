import { ok } from '../machinery/meta/result.ts';
import type { Result } from '../machinery/meta/result.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import type { Storage, StoreKey } from '../apiserver/storage/storage.ts';
import { follow } from './controller.ts';
import type { ControllerContext } from './controller.ts';
import { coreV1 } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import type { Progress } from './work-queue.ts';

const events = coreV1('events');

interface Due {
  readonly key: StoreKey;
  readonly revision: number;
  readonly at: number;
}

/** For how long Events are kept. */
export interface EventLife {
  /** In milliseconds. */
  readonly ttl: number;
  /**
   * Do they go as soon as they are due? Otherwise when the next Event is written: where time passes only when somebody
   * waits for it, it must not pass for this alone.
   */
  readonly isPunctual: boolean;
}

/**
 * Takes Events out of storage when they have not been written for so long, without asking anybody; etcd does the same with
 * leases. Follows kubernetes pkg/registry/core/event/storage/storage.go.
 */
export function expireEvents(context: ControllerContext, storage: Storage, { ttl, isPunctual }: EventLife): Progress {
  const { clock } = context;
  /** All live equally long, so they are in the order in which they go. */
  const dues = new Map<string, Due>();
  const sweep = async (): Promise<Result<undefined>> => {
    for (const [name, { key, revision, at }] of dues) {
      if (at > clock.now()) {
        if (isPunctual) queue.addLater('', at - clock.now());
        break;
      }
      dues.delete(name);
      await storage.remove(key, revision);
    }
    return ok(undefined);
  };
  const queue = createWorkQueue<string>((all) => all, sweep, context);
  follow(context, events, ({ type, object, revision }) => {
    const { namespace = '', name = '' } = metadataOf(object);
    dues.delete(`${namespace}/${name}`);
    if (type === 'removed') return;
    dues.set(`${namespace}/${name}`, { key: { resource: events, namespace, name }, revision, at: clock.now() + ttl });
    const [first] = dues.values();
    if (isPunctual && dues.size === 1) queue.addLater('', ttl);
    if (!isPunctual && first && first.at <= clock.now()) queue.add('');
  });
  return queue.progress;
}
