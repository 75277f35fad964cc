import type { GroupResource } from '../machinery/meta/gvk.ts';
import { asObject } from '../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { sameJson } from '../machinery/json/json-equal.ts';
import { evaluatorFor } from '../apiserver/quota/evaluator-for.ts';
import { scopesOf } from '../apiserver/quota/evaluator.ts';
import { addUsage, pickUsage, readUsage, type Usage, usageList } from '../apiserver/quota/usage.ts';
import type { CacheChange } from '../apiserver/storage/cluster-cache.ts';
import { updateStatus, ignoreNotFound } from './write-object.ts';
import { controllerUser } from './client.ts';
import { type Controller, type ControllerContext, followResource, followResources } from './controller.ts';
import { coreV1, deletableResources } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import { queueKey, toObjectName, type ObjectName } from './workloads/follow-pods.ts';
import type { Pod, ResourceQuota, Service } from '../api/types/generated/core-v1.ts';

const quotas = coreV1('resourcequotas');

/**
 * Updates the usage in the status of ResourceQuotas when a quota changes or an object is removed; admission counts
 * new objects. Follows pkg/controller/resourcequota/resource_quota_controller.go.
 */
export const resourceQuotaController: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('resourcequota-controller'));
  const sync = async ({ namespace, name }: ObjectName): Promise<Result<unknown>> => {
    const quota: ResourceQuota | undefined = store.get(quotas, namespace, name);
    if (!quota) return ok(undefined);
    const hard = asObject(quota.spec?.hard);
    return ignoreNotFound(await updateStatus(client, quotas, quota, { hard, used: computeUsage(quota, context) }));
  };
  const queue = createWorkQueue(queueKey, sync, context);
  followResource(context, quotas, (change) => {
    if (change.type === 'created' || (change.type === 'updated' && hasOtherLimits(change.object))) {
      queue.add(toObjectName(change.object));
    }
  });
  followResources(context, quotaVerbs, ({ storage }, change) => {
    const { namespace = '' } = metadataOf(change.object);
    if (namespace === '' || !reducesUsage(storage, change, store)) return;
    for (const quota of store.list(quotas, namespace)) queue.add(toObjectName(quota));
  });
  return queue.progress;
};

/** A resource of a terminating definition cannot be created, but its removal counts. */
const quotaVerbs = ['delete', 'list', 'watch'];

const hasOtherLimits = (quota: ResourceQuota): boolean => !sameJson(quota.spec?.hard, quota.status?.hard);

/** Follows kubernetes pkg/quota/v1/evaluator/core GetQuotaServiceType. */
function quotaType(service: Service): unknown {
  const type = service.spec?.type;
  return type === 'NodePort' || type === 'LoadBalancer' ? type : '';
}

const podPhase = (pod: Pod): string | undefined => pod.status?.phase;

/** Removed objects, terminated or deleted Pods, and Services that change their type. */
function reducesUsage(resource: GroupResource, change: CacheChange, store: ControllerContext['store']): boolean {
  if (change.type === 'removed') return evaluatorFor(resource, store) !== undefined;
  if (resource.group !== '' || change.type !== 'updated') return false;
  const { object, previous } = change;
  if (resource.resource === 'services') return quotaType(object) !== quotaType(previous);
  if (resource.resource !== 'pods') return false;
  return (
    podPhase(object) !== podPhase(previous) ||
    metadataOf(object).deletionTimestamp !== metadataOf(previous).deletionTimestamp
  );
}

/** Follows apiserver pkg/quota/v1/resources.go CalculateUsage; uncountable names keep their number. */
function computeUsage(quota: ResourceQuota, { store, served, clock }: ControllerContext): ReturnType<typeof usageList> {
  const { namespace = '' } = metadataOf(quota);
  const hard = Object.keys(asObject(quota.spec?.hard));
  let counted: Usage = new Map();
  for (const { storage, namespaced } of deletableResources(served, quotaVerbs)) {
    const evaluator = namespaced ? evaluatorFor(storage, store) : undefined;
    const names = evaluator?.matchingNames(hard) ?? [];

    if (!evaluator || names.length === 0) continue;
    const nothing: Usage = readUsage(Object.fromEntries(names.map((name) => [name, '0'])));
    const inScope = (object: KubernetesObject): boolean =>
      scopesOf(quota).every((scope) => evaluator.isInScope?.(scope, object) === true);
    const sum = store
      .list(storage, namespace)
      .filter(inScope)
      .reduce((total, object) => addUsage(total, evaluator.usage(object, clock.now())), nothing);
    // Pods and claims both request extended resources.
    counted = addUsage(counted, pickUsage(sum, names));
  }
  const former = pickUsage(readUsage(asObject(quota.status?.used)), hard);

  return usageList(new Map([...former, ...unservedUsage(former, counted, store), ...counted]));
}

/** Counted names whose resource is no longer served and has no objects. */
function unservedUsage(former: Usage, counted: Usage, store: ControllerContext['store']): Usage {
  const droppedResources = [...former.keys()].filter((name) => !counted.has(name) && hasNoObjects(name, store));
  return readUsage(Object.fromEntries(droppedResources.map((name) => [name, '0'])));
}

function hasNoObjects(name: string, store: ControllerContext['store']): boolean {
  const [, resource, group] = /^count\/([^.]+)\.(.+)$/.exec(name) ?? [];
  return resource !== undefined && group !== undefined && store.list({ group, resource }).length === 0;
}
