import type { ClusterView } from '../machinery/meta/cluster-view.ts';
import { type GroupResource, groupResourceText } from '../machinery/meta/gvk.ts';
import { asObject, type JsonObject } from '../machinery/json/json.ts';

const nodeResource = { group: '', resource: 'nodes' };

const noNodeWarning = 'Pods stay Pending here because there is no Node; kadmit serve --nodes 1 simulates one';

/** The warning for a client that waits for this object, whose Pods stay Pending because there is no Node. */
export const noNodeWarningFor =
  (cluster: ClusterView) =>
  (resource: GroupResource, namespace: string, name: string): string | undefined => {
    const isWaiting = waitConditions.get(groupResourceText(resource));
    if (!isWaiting || cluster.list(nodeResource).length > 0) return undefined;
    const object = cluster.get(resource, namespace, name);
    return object && isWaiting(asObject(object['spec']), asObject(object['status'])) ? noNodeWarning : undefined;
  };

type IsWaiting = (spec: JsonObject, status: JsonObject) => boolean;

const lacksReplicas: IsWaiting = ({ replicas = 1 }, { readyReplicas = 0 }) => Number(readyReplicas) < Number(replicas);

/** A DaemonSet has no Pods without Nodes: its rollout is complete. */
const waitConditions: ReadonlyMap<string, IsWaiting> = new Map([
  ['pods', ({ nodeName = '' }, { phase = 'Pending' }) => nodeName === '' && phase === 'Pending'],
  ['deployments.apps', lacksReplicas],
  ['replicasets.apps', lacksReplicas],
  ['statefulsets.apps', lacksReplicas],
  ['replicationcontrollers', lacksReplicas],
  ['jobs.batch', ({ suspend }, { completionTime }) => suspend !== true && completionTime === undefined],
]);

/** By resource: the controllers that kadmit lacks, named as in cmd/kube-controller-manager/names/controller_names.go. */
const missingControllers: ReadonlyMap<string, readonly [controller: string, missing: string]> = new Map([
  ['deployments.apps', ['deployment-controller', 'makes no ReplicaSets of it']],
  ['replicasets.apps', ['replicaset-controller', 'makes no Pods of it']],
  ['statefulsets.apps', ['statefulset-controller', 'makes no Pods of it']],
  ['daemonsets.apps', ['daemonset-controller', 'makes no Pods of it']],
  ['replicationcontrollers', ['replicationcontroller-controller', 'makes no Pods of it']],
  ['jobs.batch', ['job-controller', 'makes no Pods of it']],
  ['cronjobs.batch', ['cronjob-controller', 'makes no Jobs of it']],
  ['horizontalpodautoscalers.autoscaling', ['horizontal-pod-autoscaler-controller', 'scales nothing by it']],
  ['apiservices.apiregistration.k8s.io', ['kube-aggregator', 'passes no request on to it']],
]);

/** The warning for a created object whose controller does not exist here; none on a server without any controllers. */
export const missingControllerWarning =
  (running: ReadonlySet<string>) =>
  (resource: GroupResource): string | undefined => {
    const [controller, missing] = missingControllers.get(groupResourceText(resource)) ?? [];
    if (controller === undefined || running.size === 0 || running.has(controller)) return undefined;
    return `kadmit stores this object and ${missing}: there is no ${controller} here`;
  };
