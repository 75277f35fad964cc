import { invalidValue } from '../../machinery/meta/field-error.ts';
import type { NodePorts } from './service-port-pool.ts';
import { needsHealthCheckPort, needsNodePorts, nodePortOf } from './service-spec.ts';
import type { AllocationFailure, ServiceDraft } from './service-spec.ts';

/**
 * Gives every port that needs one a node port, and the service its health check port. Ports of the same number share theirs.
 * Follows kubernetes pkg/registry/core/service/storage/alloc.go initNodePorts, updateNodePorts, updateHealthCheckNodePort.
 */
export function allocateNodePorts(
  draft: ServiceDraft,
  old: ServiceDraft | undefined,
  pool: NodePorts,
): AllocationFailure {
  const failure = needsNodePorts(draft) ? allocateForPorts(draft, old, pool) : [];
  if ('exhausted' in failure || failure.length > 0) return failure;
  return needsHealthCheckPort(draft) && !(old && needsHealthCheckPort(old)) ? allocateHealthCheckPort(draft, pool) : [];
}

function allocateForPorts(draft: ServiceDraft, old: ServiceDraft | undefined, pool: NodePorts): AllocationFailure {
  const own = new Set(old?.ports.map(nodePortOf));
  const byPort = new Map<unknown, number>();
  const inherited = (number: unknown): number => (old ? 0 : (byPort.get(number) ?? requestedFor(draft, number)));
  for (const [index, port] of draft.ports.entries()) {
    const wanted = nodePortOf(port) || inherited(port['port']);
    if (wanted === 0 && !allocatesNodePorts(draft)) continue;
    const isOwn = old ? own.has(wanted) : byPort.get(port['port']) === wanted;
    const problem = wanted === 0 || isOwn ? '' : pool.take(wanted);
    if (problem !== '') return [invalidValue(`spec.ports[${index}].nodePort`, wanted, problem)];
    const nodePort = wanted || pool.next();
    if (nodePort === undefined) return { exhausted: 'failed to allocate a nodePort: range is full' };
    own.add(nodePort);
    byPort.set(port['port'], nodePort);
    draft.ports = draft.ports.with(index, { ...port, nodePort });
  }
  return [];
}

const allocatesNodePorts = ({ type, allocateLoadBalancerNodePorts }: ServiceDraft): boolean =>
  type === 'NodePort' || allocateLoadBalancerNodePorts !== false;

const requestedFor = ({ ports }: ServiceDraft, number: unknown): number =>
  ports
    .filter((port) => port['port'] === number)
    .map(nodePortOf)
    .find((port) => port !== 0) ?? 0;

function allocateHealthCheckPort(draft: ServiceDraft, pool: NodePorts): AllocationFailure {
  const wanted = draft.healthCheckNodePort;
  const problem = wanted === 0 ? '' : pool.take(wanted);
  if (problem !== '') {
    return { exhausted: `failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}` };
  }
  const port = wanted || pool.next();
  if (port === undefined) return { exhausted: 'failed to allocate a HealthCheck NodePort 0: range is full' };
  draft.healthCheckNodePort = port;
  return [];
}
