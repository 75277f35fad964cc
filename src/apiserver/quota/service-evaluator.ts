import { asList, asObject } from '../../machinery/json/json.ts';
import type { Evaluator } from './evaluator.ts';
import { count } from './usage.ts';
import type { Usage } from './usage.ts';
import type { Service, ServicePort } from '../../api/types/generated/core-v1.ts';

const names = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']);

/** Services, their node ports and load balancers. Follows kubernetes pkg/quota/v1/evaluator/core/services.go. */
export const serviceEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => (operation === 'CREATE' || operation === 'UPDATE') && subresource === '',
  matchingNames: (asked) => asked.filter((name) => names.has(name)),
  usage,
};

function usage(service: Service): Usage {
  const { type, ports: listed, allocateLoadBalancerNodePorts } = asObject(service.spec);
  const ports = asList(listed);
  const isBalanced = type === 'LoadBalancer';
  const asked = isBalanced && allocateLoadBalancerNodePorts === false ? ports.filter(hasNodePort) : ports;
  return new Map([
    ['count/services', count(1)],
    ['services', count(1)],
    ['services.nodeports', count(isBalanced || type === 'NodePort' ? asked.length : 0)],
    ['services.loadbalancers', count(isBalanced ? 1 : 0)],
  ]);
}

const hasNodePort = ({ nodePort }: ServicePort): boolean => nodePort !== undefined && nodePort !== 0;
