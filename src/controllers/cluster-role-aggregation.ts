import { applyObject } from './write-object.ts';
import { asList } from '../machinery/json/json.ts';
import { sameJson } from '../machinery/json/json-equal.ts';
import { type KubernetesObject, metadataOf } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { controllerUser } from './client.ts';
import { type Controller, followResource } from './controller.ts';
import { createWorkQueue } from './work-queue.ts';
import type { ClusterRole } from '../api/types/generated/rbac-v1.ts';

const clusterRoles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };

/**
 * Sets the rules of ClusterRoles with an aggregationRule. Follows
 * pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go.
 */
export const clusterRoleAggregationController: Controller = (context) => {
  const { store, aggregatedRules } = context;
  const client = context.clientFor(controllerUser('clusterrole-aggregation-controller'));
  const all = (): readonly KubernetesObject[] => store.list(clusterRoles);
  const sync = async (name: string): Promise<Result<unknown>> => {
    const role: ClusterRole | undefined = store.get(clusterRoles, '', name);
    if (!role || !aggregates(role)) return ok(undefined);
    const rules = aggregatedRules(role, all());
    if (sameJson(asList(role.rules), rules)) return ok(undefined);
    const configuration = {
      kind: 'ClusterRole',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name },
      rules,
    };
    return applyObject(client, clusterRoles, configuration, { fieldManager: 'clusterrole-aggregation-controller' });
  };
  const queue = createWorkQueue((name) => name, sync, context);
  const addAll = (): void => {
    for (const role of all()) if (aggregates(role)) queue.add(metadataOf(role).name ?? '');
  };
  followResource(context, clusterRoles, addAll);
  return queue.progress;
};

const aggregates = (role: ClusterRole): boolean => role.aggregationRule !== undefined;
