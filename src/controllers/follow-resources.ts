import type { Change } from '../store/cluster-cache.ts';
import { follow } from './controller.ts';
import type { ControllerContext } from './controller.ts';
import { deletableResources } from './served-resources.ts';
import type { ServedResource } from './served-resources.ts';

/**
 * Follows the objects of every resource that has these verbs, also of resources that are served later. One that is served
 * in another way from now on is followed anew.
 */
export function followResources(
  context: ControllerContext,
  verbs: readonly string[],
  listener: (resource: ServedResource, change: Change) => void,
): void {
  const followed = new Map<string, () => void>();
  const update = (): void => {
    const wanted = new Map(deletableResources(context.served, verbs).map((resource) => [keyOf(resource), resource]));
    for (const [key, close] of followed) {
      if (wanted.has(key)) continue;
      close();
      followed.delete(key);
    }
    for (const [key, resource] of wanted) {
      if (followed.has(key)) continue;
      followed.set(
        key,
        follow(context, resource.storage, (change) => listener(resource, change)),
      );
    }
  };
  update();
  context.whenClosed(context.served.follow(update));
}

const keyOf = ({ version, namespaced, storage }: ServedResource): string =>
  `${storage.group}/${storage.resource}/${version}/${String(namespaced)}`;
