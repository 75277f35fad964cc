import { asList, valueAt, withValue } from '../../machinery/json/json.ts';
import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { conflict } from '../../machinery/meta/status.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';
import type { DeleteOptions } from './delete-options.ts';
import { planDeletion } from './deletion.ts';
import type { DeletionPlan, Mark } from './deletion.ts';

/**
 * The first DELETE marks it Terminating, later ones do nothing until `spec.finalizers` is empty. Follows kubernetes
 * pkg/registry/core/namespace/storage/storage.go Delete (rule PATH-45).
 */
export function planNamespaceDeletion(
  namespace: KubernetesObject,
  asked: DeleteOptions,
  strategy: Strategy,
  now: number,
): Result<DeletionPlan> {
  const { name = '', uid = '', deletionTimestamp } = metadataOf(namespace);
  const text = uidAndVersionProblem(namespace, asked);
  if (text !== undefined) return refuse(conflict({ group: '', resource: 'namespaces' }, name, text));
  const options = { ...asked, preconditions: { ...asked.preconditions, uid } };
  if (deletionTimestamp === undefined) {
    const mark: Mark = (latest, at) => ok({ marking: 'store', next: terminating(latest, options, at), waits: true });
    return ok({ plan: 'mark', options, mark });
  }
  if (asList(valueAt(namespace, 'spec', 'finalizers')).length > 0) return ok({ plan: 'already-deleting' });
  return planDeletion(namespace, options, strategy, now);
}

/** The texts of registries that check preconditions themselves. */
export function uidAndVersionProblem(
  object: KubernetesObject,
  { preconditions = {} }: DeleteOptions,
): string | undefined {
  const { uid = '', resourceVersion = '' } = metadataOf(object);
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    return `Precondition failed: UID in precondition: ${preconditions.uid}, UID in object meta: ${uid}`;
  }
  const version = preconditions.resourceVersion;
  if (version === undefined || version === resourceVersion) return undefined;
  return `Precondition failed: ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${resourceVersion}`;
}

function terminating(namespace: KubernetesObject, options: DeleteOptions, now: number): KubernetesObject {
  const { finalizers = [], deletionTimestamp } = metadataOf(namespace);
  const collectors = [
    ...(wants('Orphan', options, finalizers.includes('orphan')) ? ['orphan'] : []),
    ...(wants('Foreground', options, finalizers.includes('foregroundDeletion')) ? ['foregroundDeletion'] : []),
  ];
  const others = finalizers.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  const next = [...others, ...collectors];
  const marked = withMetadata(namespace, {
    deletionTimestamp: deletionTimestamp ?? formatTime(now),
    finalizers: next.length > 0 ? next : undefined,
  });
  return withValue(marked, ['status', 'phase'], 'Terminating');
}

/** Dependents are deleted in the foreground unless orphaned. */
function wants(policy: 'Orphan' | 'Foreground', options: DeleteOptions, isSet: boolean): boolean {
  const { orphanDependents, propagationPolicy } = options;
  if (orphanDependents !== undefined) return orphanDependents === (policy === 'Orphan');
  return propagationPolicy === undefined ? isSet : propagationPolicy === policy;
}
