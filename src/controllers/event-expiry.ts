import { ok } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import { metadataOf } from '../apimachinery/object.ts';
import type { Storage, StoreKey } from '../store/storage.ts';
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

/**
 * Takes Events out of storage when they have not been written for so long, without asking anybody; etcd does the same with
 * leases. `ttl` in milliseconds. Follows kubernetes pkg/registry/core/event/storage/storage.go.
 */
export function expireEvents(context: ControllerContext, storage: Storage, ttl: number): Progress {
  const { clock } = context;
  /** All live equally long, so they are in the order in which they go. */
  const dues = new Map<string, Due>();
  const sweep = async (): Promise<Result<undefined>> => {
    for (const [name, { key, revision, at }] of dues) {
      if (at > clock.now()) {
        queue.addLater('', at - clock.now());
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
    if (dues.size === 1) queue.addLater('', ttl);
  });
  return queue.progress;
}
