import type { Random } from '../../machinery/clock.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import { goQuote, invalidValue } from '../../machinery/meta/field-error.ts';
import { metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { internalError, invalid, type Status } from '../../machinery/meta/status.ts';
import { balancerIpWarnings, cidrWarnings, ipWarnings } from '../validation/core/ip-warnings.ts';
import { labelName } from '../validation/meta/object-meta.ts';
import {
  type AllocationRange,
  type ClusterIpAllocator,
  createClusterIpAllocator,
  listClusterIps,
  isRangeFull,
  pickFreeNumber,
  releaseClusterIps,
} from './cluster-ips.ts';
import type { ResourceRules } from './resource-rules.ts';
import { initIpFamilies } from './service-ip-families.ts';
import {
  type AllocationFailure,
  dropTypeDependentFields,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePorts,
  readNodePort,
  normalizeClusterIps,
  patchAllocatedValues,
  type ServiceDraft,
  createServiceDraft,
  withServiceDraft,
} from './service-spec.ts';
import type { BeginPorts, BegunWrite, StrategyContext } from './strategy.ts';

const topologyHintsAnnotation = 'service.kubernetes.io/topology-aware-hints';

/** Follows kubernetes pkg/api/service/warnings.go GetWarningsForService. */
export function serviceWarnings(service: KubernetesObject): readonly string[] {
  const spec = asObject(service['spec']);
  const isNamed = spec['type'] === 'ExternalName';
  const isHeadless = spec['type'] === 'ClusterIP' && spec['clusterIP'] === 'None';
  const hasExternalIps = asList(spec['externalIPs']).length > 0;
  const hasSessions = asString(spec['sessionAffinity']) !== 'None';
  const ipsIn = (list: string): readonly string[] =>
    asList(spec[list]).flatMap((ip, index) => ipWarnings(`spec.${list}[${index}]`, asString(ip)));
  const warnings: readonly (readonly [isDue: boolean, text: string | readonly string[]])[] = [
    [
      metadataOf(service).annotations?.[topologyHintsAnnotation] !== undefined,
      `annotation ${topologyHintsAnnotation} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    ],
    [!isHeadless && !isNamed, ipsIn('clusterIPs')],
    [isHeadless && asString(spec['loadBalancerIP']) !== '', 'spec.loadBalancerIP is ignored for headless services'],
    [isHeadless && hasExternalIps, 'spec.externalIPs is ignored for headless services'],
    [isHeadless && hasSessions, 'spec.SessionAffinity is ignored for headless services'],
    [hasExternalIps, ipsIn('externalIPs')],
    [
      hasExternalIps && !isHeadless && !isNamed,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [true, ipWarnings('spec.loadBalancerIP', asString(spec['loadBalancerIP']))],
    [
      true,
      asList(spec['loadBalancerSourceRanges']).flatMap((range, index) =>
        cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, asString(range)),
      ),
    ],
    [isNamed && hasExternalIps, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [
      !isNamed && asString(spec['externalName']) !== '',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
    [
      spec['trafficDistribution'] === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return warnings.flatMap(([isDue, text]) => (isDue ? text : []));
}

/** Follows kubernetes pkg/registry/core/service/{strategy,storage/storage,storage/alloc}.go. */
export const serviceRules: ResourceRules = {
  name: labelName,
  allowCreateOnUpdate: true,
  returnsDeletedObject: true,
  emptyStatus: { loadBalancer: {} },
  warningsOnCreate: serviceWarnings,
  warningsOnUpdate: (service, _old, subresource) =>
    subresource === 'status' ? balancerIpWarnings(service) : serviceWarnings(service),
  begin: beginWrite,
  afterDelete: (service, ports) => releaseClusterIps(listClusterIps(service), ports),
  prepareForUpdate: (service, old, subresource) => ok(subresource === '' ? dropOtherTypes(service, old) : service),
};

async function beginWrite(
  service: KubernetesObject,
  old: KubernetesObject | undefined,
  context: StrategyContext,
  ports: BeginPorts,
): Promise<Result<BegunWrite>> {
  const draft = createServiceDraft(service);
  const before = old && createServiceDraft(old);
  if (before) patchAllocatedValues(draft, before);
  normalizeClusterIps(draft, before);
  const families = initIpFamilies(draft, before, clusterFamily);
  if (families.length > 0) return refuse(newAllocationFailure(service, families));
  const ips = createClusterIpAllocator(service, context, ports);
  const allocated = needsNewAddress(draft, before)
    ? await allocateClusterIp(metadataOf(service).name ?? '', draft, ips)
    : { ips: [] };
  if (!('ips' in allocated)) return refuse(newAllocationFailure(service, allocated));
  const release = async (released: readonly string[]): Promise<void> =>
    context.dryRun ? undefined : releaseClusterIps(released, ports);
  const failure = allocateNodePorts(draft, before, selectNodePorts(context));
  if ('exhausted' in failure || failure.length > 0) {
    await release(allocated.ips);
    return refuse(newAllocationFailure(service, failure));
  }
  const freed = old && before && !needsClusterIp(draft) ? listClusterIps(old) : [];
  return ok({
    object: withServiceDraft(service, draft),
    finish: (stored) => release(stored ? freed : allocated.ips),
  });
}

function selectNodePorts({ cluster, dryRun, random }: StrategyContext): NodePorts {
  const services = cluster.list({ group: '', resource: 'services' });
  return dryRun ? createDryRunNodePorts(services) : createNodePorts(services, random);
}

const clusterFamily = 'IPv4';

function newAllocationFailure(service: KubernetesObject, failure: AllocationFailure): Status {
  const { name = '' } = metadataOf(service);
  return 'exhausted' in failure
    ? internalError(failure.exhausted)
    : invalid({ group: '', kind: 'Service' }, name, failure);
}

/** An update allocates one only if the Service was an ExternalName. */
const needsNewAddress = (draft: ServiceDraft, old: ServiceDraft | undefined): boolean =>
  needsClusterIp(draft) && draft.clusterIPs[0] !== 'None' && (!old || !needsClusterIp(old));

async function allocateClusterIp(
  name: string,
  draft: ServiceDraft,
  ips: ClusterIpAllocator,
): Promise<{ readonly ips: readonly string[] } | AllocationFailure> {
  const [requested = ''] = draft.clusterIPs;
  const sent = draft.clusterIPs.length === 0 ? [''] : draft.clusterIPs;
  const taken = requested === '' ? await ips.next() : await ips.take(requested);
  if ('ip' in taken) {
    draft.clusterIP = taken.ip;
    draft.clusterIPs = [taken.ip, ...draft.clusterIPs.slice(1)];
    return { ips: [taken.ip] };
  }
  if (requested === '' && isRangeFull(taken.problem)) {
    return { exhausted: `failed to allocate a serviceIP for Service ${goQuote(name)}: range is full` };
  }
  const description = requested === '' ? 'IP' : `IP ${requested}`;
  return [invalidValue('spec.clusterIPs', sent, `failed to allocate ${description}: ${taken.problem}`)];
}

function dropOtherTypes(service: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const draft = createServiceDraft(service);
  dropTypeDependentFields(draft, createServiceDraft(old));
  return withServiceDraft(service, draft);
}

/**
 * Ports with the same number share a node port. Follows kubernetes pkg/registry/core/service/storage/alloc.go
 * initNodePorts, updateNodePorts, updateHealthCheckNodePort.
 */
function allocateNodePorts(draft: ServiceDraft, old: ServiceDraft | undefined, pool: NodePorts): AllocationFailure {
  const failure = needsNodePorts(draft) ? allocateForPorts(draft, old, pool) : [];
  if ('exhausted' in failure || failure.length > 0) return failure;
  return needsHealthCheckPort(draft) && !(old && needsHealthCheckPort(old)) ? allocateHealthCheckPort(draft, pool) : [];
}

function allocateForPorts(draft: ServiceDraft, old: ServiceDraft | undefined, pool: NodePorts): AllocationFailure {
  const own = new Set(old?.ports.map(readNodePort));
  const byPort = new Map<unknown, number>();
  const inherited = (number: unknown): number => (old ? 0 : (byPort.get(number) ?? findRequestedPort(draft, number)));
  for (const [index, port] of draft.ports.entries()) {
    const requested = readNodePort(port) || inherited(port['port']);
    if (requested === 0 && !allocatesNodePorts(draft)) continue;
    const isOwn = old ? own.has(requested) : byPort.get(port['port']) === requested;
    const problem = requested === 0 || isOwn ? '' : pool.take(requested);
    if (problem !== '') return [invalidValue(`spec.ports[${index}].nodePort`, requested, problem)];
    const nodePort = requested || pool.next();
    if (nodePort === undefined) return { exhausted: 'failed to allocate a nodePort: range is full' };
    own.add(nodePort);
    byPort.set(port['port'], nodePort);
    draft.ports = draft.ports.with(index, { ...port, nodePort });
  }
  return [];
}

const allocatesNodePorts = ({ type, allocateLoadBalancerNodePorts }: ServiceDraft): boolean =>
  type === 'NodePort' || allocateLoadBalancerNodePorts !== false;

const findRequestedPort = ({ ports }: ServiceDraft, number: unknown): number =>
  ports
    .filter((port) => port['port'] === number)
    .map(readNodePort)
    .find((port) => port !== 0) ?? 0;

function allocateHealthCheckPort(draft: ServiceDraft, pool: NodePorts): AllocationFailure {
  const requested = draft.healthCheckNodePort;
  const problem = requested === 0 ? '' : pool.take(requested);
  if (problem !== '') {
    return { exhausted: `failed to allocate requested HealthCheck NodePort ${requested}: ${problem}` };
  }
  const port = requested || pool.next();
  if (port === undefined) return { exhausted: 'failed to allocate a HealthCheck NodePort 0: range is full' };
  draft.healthCheckNodePort = port;
  return [];
}

/** The node ports of one request, including those it takes. */
interface NodePorts {
  /** undefined when the range is full. */
  readonly next: () => number | undefined;
  /** The error, or `''`. */
  readonly take: (port: number) => string;
}

const nodePortRange: AllocationRange = { first: 30000, last: 32767, staticBand: 86 };

/** Follows kubernetes pkg/registry/core/service/portallocator/allocator.go. */
function createNodePorts(services: readonly KubernetesObject[], random: Random): NodePorts {
  const taken = new Set(services.flatMap(listNodePorts));
  return {
    next: () => {
      const free = pickFreeNumber(nodePortRange, random, (port) => !taken.has(port));
      if (free !== undefined) taken.add(free);
      return free;
    },
    take: (port) => {
      if (port < nodePortRange.first || port > nodePortRange.last) {
        return `provided port is not in the valid range. The range of valid ports is ${nodePortRange.first}-${nodePortRange.last}`;
      }
      if (taken.has(port)) return portAllocatedText;
      taken.add(port);
      return '';
    },
  };
}

/**
 * A dry run takes no port: it accepts any unused number and otherwise uses the highest so far plus one. Follows
 * kubernetes pkg/registry/core/service/portallocator/operation.go.
 */
function createDryRunNodePorts(services: readonly KubernetesObject[]): NodePorts {
  const taken = new Set(
    services.flatMap(listNodePorts).filter((port) => port >= nodePortRange.first && port <= nodePortRange.last),
  );
  const allocated = new Set<number>();
  const take = (port: number): string => {
    if (taken.has(port) || allocated.has(port)) return portAllocatedText;
    allocated.add(port);
    return '';
  };
  return {
    take,
    next: () => {
      const highest = allocated.size === 0 ? 32768 : Math.max(...allocated);
      for (let port = highest + 1; port < 100; port += 1) if (take(port) === '') return port;
      allocated.add(highest + 1);
      return highest + 1;
    },
  };
}

const portAllocatedText = 'provided port is already allocated';

function listNodePorts(service: KubernetesObject): readonly number[] {
  const spec = asObject(service['spec']);
  const nodePorts = asList(spec['ports']).map((port) => Number(asObject(port)['nodePort'] ?? 0));
  return [...nodePorts, Number(spec['healthCheckNodePort'] ?? 0)].filter((port) => port !== 0);
}
