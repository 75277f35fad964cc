import { groupResourceText } from '../machinery/meta/gvk.ts';
import type { CacheChange } from '../apiserver/storage/cluster-cache.ts';
import type { ControllerContext } from './controller.ts';
import { deletableResources, type ServedResource } from './served-resources.ts';

/**
 * Calls `listener` for the objects of every resource with these verbs, also of resources that are served later: for
 * each existing object, as created, and for every later change. A resource whose version or scope changes starts
 * again.
 */
export function followResources(
  context: ControllerContext,
  verbs: readonly string[],
  listener: (resource: ServedResource, change: CacheChange) => void,
): void {
  const { store, served, onBug, whenClosed } = context;
  const tell = (resource: ServedResource, change: CacheChange): void => {
    try {
      listener(resource, change);
    } catch (error) {
      // The store is inside a write.
      onBug(error);
    }
  };
  let followed: Followed = new Map();
  const update = (): void => {
    const before = followed;
    followed = followedOf(served.all(), verbs);
    // Hundreds of resources may have no object.
    for (const stored of store.resources()) {
      const resource = followed.get(stored);
      if (!resource || sameWay(before.get(stored), resource)) continue;
      const revision = store.revision();
      for (const object of store.list(resource.storage)) tell(resource, { type: 'created', object, revision });
    }
  };
  update();
  whenClosed(served.follow(update));
  whenClosed(
    store.watchEach((stored, change) => {
      const resource = followed.get(stored);
      if (resource) tell(resource, change);
    }),
  );
}

/** By stored resource. */
type Followed = ReadonlyMap<string, ServedResource>;

const followedOf = (rows: readonly ServedResource[], verbs: readonly string[]): Followed =>
  new Map(deletableResources({ all: () => rows }, verbs).map((one) => [groupResourceText(one.storage), one]));

const sameWay = (a: ServedResource | undefined, b: ServedResource): boolean =>
  a?.version === b.version && a.namespaced === b.namespaced;
