import { type Result, ok } from '../../machinery/meta/result.ts';
import { type WorkQueue, createWorkQueue } from '../work-queue.ts';
import type { GroupVersionResource, GroupResource } from '../../machinery/meta/gvk.ts';
import type { LabelSelector } from '../../machinery/selectors/label-selector.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { type ControllerContext, followResource } from '../controller.ts';
import { nameOf, namespaceOf } from './fields.ts';
import { controllerOf } from './ownership.ts';

/** An item of a work queue. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

export const queueKey = ({ namespace, name }: ObjectName): string => `${namespace}/${name}`;

export const toObjectName = (object: KubernetesObject): ObjectName => ({
  namespace: namespaceOf(object),
  name: nameOf(object),
});

/**
 * Syncs an object when it is created or changed, and when its name is added to the queue. `isDue` limits the changes
 * that count.
 */
export function syncObjects(
  context: ControllerContext,
  resource: GroupResource,
  sync: (object: KubernetesObject, key: ObjectName) => Promise<Result<unknown>>,
  isDue: (object: KubernetesObject) => boolean = () => true,
): WorkQueue<ObjectName> {
  const queue = createWorkQueue(
    queueKey,
    async (key: ObjectName): Promise<Result<unknown>> => {
      const object = context.store.get(resource, key.namespace, key.name);
      return object ? sync(object, key) : ok(undefined);
    },
    context,
  );
  followResource(context, resource, ({ type, object }) => {
    if (type !== 'removed' && isDue(object)) queue.add(toObjectName(object));
  });
  return queue;
}

interface OwnerKind {
  readonly kind: string;
  readonly resource: GroupVersionResource;
  readonly selectorOf: (owner: KubernetesObject) => LabelSelector | undefined;
}

/**
 * Calls `add` for every owner whose dependents changed: the controller of the dependent, before and after, and all
 * owners that select an orphan.
 */
export function followDependents(
  context: ControllerContext,
  dependents: GroupVersionResource,
  owners: OwnerKind,
  add: (owner: ObjectName) => void,
): void {
  const { store } = context;
  const addOwnerOf = (dependent: KubernetesObject): void => {
    const owner = controllerOf(dependent);
    if (owner?.kind === owners.kind) add({ namespace: namespaceOf(dependent), name: owner.name });
  };
  followResource(context, dependents, (change) => {
    if (change.type === 'updated' && controllerOf(change.previous)?.uid !== controllerOf(change.object)?.uid) {
      addOwnerOf(change.previous);
    }
    if (change.type === 'removed' || controllerOf(change.object)) return addOwnerOf(change.object);
    const { namespace = '', labels = {} } = metadataOf(change.object);
    for (const owner of store.list(owners.resource, namespace)) {
      if (owners.selectorOf(owner)?.matches(labels)) add(toObjectName(owner));
    }
  });
}
