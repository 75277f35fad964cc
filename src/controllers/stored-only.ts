import { type GroupResource, groupResourceText } from '../machinery/meta/gvk.ts';

/**
 * The controllers that kadmit lacks, by kind, with the names of
 * cmd/kube-controller-manager/names/controller_names.go.
 */
interface Purpose extends GroupResource {
  readonly controller: string;
  readonly missing: string;
}

const purposes: readonly Purpose[] = [
  {
    group: 'apps',
    resource: 'deployments',
    controller: 'deployment-controller',
    missing: 'makes no ReplicaSets of it',
  },
  { group: 'apps', resource: 'replicasets', controller: 'replicaset-controller', missing: 'makes no Pods of it' },
  { group: 'apps', resource: 'statefulsets', controller: 'statefulset-controller', missing: 'makes no Pods of it' },
  { group: 'apps', resource: 'daemonsets', controller: 'daemonset-controller', missing: 'makes no Pods of it' },
  {
    group: '',
    resource: 'replicationcontrollers',
    controller: 'replicationcontroller-controller',
    missing: 'makes no Pods of it',
  },
  { group: 'batch', resource: 'jobs', controller: 'job-controller', missing: 'makes no Pods of it' },
  { group: 'batch', resource: 'cronjobs', controller: 'cronjob-controller', missing: 'makes no Jobs of it' },
  {
    group: 'autoscaling',
    resource: 'horizontalpodautoscalers',
    controller: 'horizontal-pod-autoscaler-controller',
    missing: 'scales nothing by it',
  },
  {
    group: 'apiregistration.k8s.io',
    resource: 'apiservices',
    controller: 'kube-aggregator',
    missing: 'passes no request on to it',
  },
];

/**
 * The warning for a created object whose controller does not exist here. A server without any controllers gives none.
 */
export function storedOnly(running: ReadonlySet<string>): (resource: GroupResource) => string | undefined {
  if (running.size === 0) return () => undefined;
  const missed = purposes.filter(({ controller }) => !running.has(controller));
  const byName = new Map(missed.map((purpose) => [groupResourceText(purpose), purpose]));
  return (resource) => {
    const purpose = byName.get(groupResourceText(resource));
    return purpose && `kadmit stores this object and ${purpose.missing}: there is no ${purpose.controller} here`;
  };
}
