import type { GroupResource } from '../machinery/meta/gvk.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import type { KubernetesObject } from '../machinery/meta/object.ts';
import { uncheckedDeleteOptions } from '../apiserver/request/delete-options.ts';
import { planDeletion } from '../apiserver/request/deletion.ts';
import { unknownStrategy } from '../api/strategy/strategy-for.ts';
import type { ClusterCache } from '../apiserver/storage/cluster-cache.ts';
import type { Storage } from '../apiserver/storage/storage.ts';

interface Remover {
  readonly storage: Storage;
  readonly store: ClusterCache;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Deletes every object of a resource without asking anybody, as if each had been sent a DELETE; how many their finalizers
 * keep. Follows apiextensions-apiserver pkg/controller/finalizer/crd_finalizer.go deleteInstances.
 */
export async function removeInstances({ storage, store, now }: Remover, resource: GroupResource): Promise<number> {
  for (const object of store.list(resource)) await removeOne({ storage, now }, resource, object);
  return store.list(resource).length;
}

async function removeOne(
  { storage, now }: Pick<Remover, 'storage' | 'now'>,
  resource: GroupResource,
  object: KubernetesObject,
): Promise<void> {
  const { name = '', namespace = '' } = metadataOf(object);
  const key = { resource, namespace, name };
  const stored = await storage.read(key);
  if (!stored) return;
  const plan = planDeletion(stored.object, uncheckedDeleteOptions({}), unknownStrategy, now());
  if (!plan.ok) return;
  if (plan.value.plan === 'remove') await storage.remove(key, stored.revision);
  if (plan.value.plan !== 'mark' || metadataOf(stored.object).deletionTimestamp !== undefined) return;
  const marked = plan.value.mark(stored.object, now());
  if (marked.ok && marked.value.marking === 'store') await storage.update(key, marked.value.next, stored.revision);
}
