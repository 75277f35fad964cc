import type { Service, ServicePort } from '../../api/types/generated/core-v1.ts';
import { asList, asObject } from '../../machinery/json/json.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { type GroupResource, groupResourceText } from '../../machinery/meta/gvk.ts';
import { claimEvaluator } from './claim-evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { createResourceClaimEvaluator } from './resource-claim-evaluator.ts';
import { count, type Usage } from './usage.ts';

const names = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']);

/** Follows kubernetes pkg/quota/v1/evaluator/core/services.go. */
const serviceEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => (operation === 'CREATE' || operation === 'UPDATE') && subresource === '',
  matchingNames: (counted) => counted.filter((name) => names.has(name)),
  usage,
};

function usage(service: Service): Usage {
  const { type, ports: listed, allocateLoadBalancerNodePorts } = asObject(service.spec);
  const ports = asList(listed);
  const isBalanced = type === 'LoadBalancer';
  const counted = isBalanced && allocateLoadBalancerNodePorts === false ? ports.filter(hasNodePort) : ports;
  return new Map([
    ['count/services', count(1)],
    ['services', count(1)],
    ['services.nodeports', count(isBalanced || type === 'NodePort' ? counted.length : 0)],
    ['services.loadbalancers', count(isBalanced ? 1 : 0)],
  ]);
}

const hasNodePort = ({ nodePort }: ServicePort): boolean => nodePort !== undefined && nodePort !== 0;

/** `count/RESOURCE.GROUP`. */
const countName = ({ group, resource }: GroupResource): string =>
  `count/${group === '' ? resource : groupResourceText({ group, resource })}`;

/**
 * Counts objects as `count/…` and older names. Follows apiserver pkg/quota/v1/generic/evaluator.go
 * NewObjectCountEvaluator.
 */
function objectCountEvaluator(resource: GroupResource): Evaluator {
  const names = [countName(resource)];
  if (resource.group === '' && olderNames.has(resource.resource)) names.push(resource.resource);
  const one = new Map(names.map((name) => [name, count(1)]));
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    matchingNames: (counted) => counted.filter((name) => one.has(name)),
    usage: () => one,
  };
}

/** Follows kubernetes pkg/quota/v1/evaluator/core/registry.go legacyObjectCountAliases. */
const olderNames = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

/** undefined for events and virtual resources. Follows kubernetes pkg/quota/v1/install/registry.go. */
export function evaluatorFor(resource: GroupResource, cluster: ClusterView): Evaluator | undefined {
  const name = groupResourceText(resource);
  if (uncounted.has(name)) return undefined;
  if (name === claims) return createResourceClaimEvaluator(cluster);
  return own.get(name) ?? objectCountEvaluator(resource);
}

const claims = groupResourceText({ group: 'resource.k8s.io', resource: 'resourceclaims' });

const own: ReadonlyMap<string, Evaluator> = new Map([
  [groupResourceText({ group: '', resource: 'pods' }), podEvaluator],
  [groupResourceText({ group: '', resource: 'services' }), serviceEvaluator],
  [groupResourceText({ group: '', resource: 'persistentvolumeclaims' }), claimEvaluator],
]);

const uncounted = new Set(
  [
    { group: '', resource: 'bindings' },
    { group: '', resource: 'componentstatuses' },
    { group: '', resource: 'events' },
    { group: 'events.k8s.io', resource: 'events' },
    { group: 'authentication.k8s.io', resource: 'tokenreviews' },
    { group: 'authentication.k8s.io', resource: 'selfsubjectreviews' },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
    { group: 'authorization.k8s.io', resource: 'localsubjectaccessreviews' },
    { group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' },
    { group: 'authorization.k8s.io', resource: 'selfsubjectrulesreviews' },
  ].map(groupResourceText),
);
