import type { GroupResource } from '../apimachinery/gvk.ts';
import { metadataOf } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { uncheckedDeleteOptions } from '../request/delete-options.ts';
import { planDeletion } from '../request/deletion.ts';
import { strategyFor } from '../schema/strategy/strategy-for.ts';
import type { Store } from '../store/store.ts';

interface Remover {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Deletes every object of a resource without asking anybody, as if each had been sent a DELETE; how many their finalizers
 * keep. Follows apiextensions-apiserver pkg/controller/finalizer/crd_finalizer.go deleteInstances.
 */
export async function removeInstances({ store, now }: Remover, resource: GroupResource): Promise<number> {
  for (const object of store.list(resource)) await removeOne({ store, now }, resource, object);
  return store.list(resource).length;
}

async function removeOne({ store, now }: Remover, resource: GroupResource, object: KubernetesObject): Promise<void> {
  const { name = '', namespace = '' } = metadataOf(object);
  const key = { resource, namespace, name };
  const stored = await store.read(key);
  if (!stored) return;
  const plan = planDeletion(stored.object, uncheckedDeleteOptions({}), strategyFor(resource), now());
  if (!plan.ok) return;
  if (plan.value.plan === 'remove') await store.remove(key, stored.revision);
  if (plan.value.plan !== 'mark' || metadataOf(stored.object).deletionTimestamp !== undefined) return;
  const marked = await store.update(key, plan.value.next, stored.revision);
  if (marked.outcome === 'stored' && !plan.value.waits) await store.remove(key, marked.stored.revision);
}
