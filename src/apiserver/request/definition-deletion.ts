import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { conflict } from '../../machinery/meta/status.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { cleanupFinalizer, definitionResource, terminating, withCondition } from '../custom-resources/definition.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';
import type { DeleteOptions } from './delete-options.ts';
import { planDeletion } from './deletion.ts';
import type { DeletionPlan } from './deletion.ts';
import { uidAndVersionProblem } from './namespace-deletion.ts';

/**
 * What a DELETE of a definition comes to: the first marks it and has its objects removed, later ones are as for any object.
 * `now` in milliseconds since 1970. Follows apiextensions-apiserver pkg/registry/customresourcedefinition/etcd.go Delete.
 */
export function planDefinitionDeletion(
  definition: KubernetesObject,
  asked: DeleteOptions,
  strategy: Strategy,
  now: number,
): Result<DeletionPlan> {
  const { name = '', uid = '', deletionTimestamp } = metadataOf(definition);
  const text = uidAndVersionProblem(definition, asked);
  if (text !== undefined) return refuse(conflict(definitionResource, name, text));
  const options = { ...asked, preconditions: { ...asked.preconditions, uid } };
  if (deletionTimestamp !== undefined) return planDeletion(definition, options, strategy, now);
  return ok({
    plan: 'mark',
    options,
    mark: (latest, at) => ok({ marking: 'store', next: marked(latest, at), waits: true }),
  });
}

function marked(definition: KubernetesObject, now: number): KubernetesObject {
  const time = formatTime(now);
  const { deletionTimestamp = time, finalizers = [] } = metadataOf(definition);
  const held = finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer];
  const next = withMetadata(definition, { deletionTimestamp, finalizers: held });
  return withCondition(next, terminating('InstanceDeletionPending'), time);
}
