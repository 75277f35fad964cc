import { type GroupResource, groupResourceText } from '../machinery/meta/gvk.ts';

/** By resource: the controllers that kadmit lacks, named as in cmd/kube-controller-manager/names/controller_names.go. */
const purposes: ReadonlyMap<string, readonly [controller: string, missing: string]> = new Map([
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
export const storedOnly =
  (running: ReadonlySet<string>) =>
  (resource: GroupResource): string | undefined => {
    const [controller, missing] = purposes.get(groupResourceText(resource)) ?? [];
    if (controller === undefined || running.size === 0 || running.has(controller)) return undefined;
    return `kadmit stores this object and ${missing}: there is no ${controller} here`;
  };
