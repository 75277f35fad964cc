import { goQuote, invalidValue } from '../../machinery/meta/field-error.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { internalError, invalid } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import { clusterIpsFor, clusterIpsOf, isFull, releaseClusterIps } from './cluster-ips.ts';
import type { ClusterIps } from './cluster-ips.ts';
import { createNodePorts, dryRunNodePorts } from './service-port-pool.ts';
import type { NodePorts } from './service-port-pool.ts';
import type { BeginPorts, Begun, StrategyContext } from './strategy.ts';
import { labelName } from '../validation/meta/name-rule.ts';
import type { ResourceRules } from './resource-rules.ts';
import { initIpFamilies } from './service-ip-families.ts';
import { allocateNodePorts } from './service-node-ports.ts';
import { needsClusterIp, serviceDraftOf, withServiceDraft } from './service-spec.ts';
import type { AllocationFailure, ServiceDraft } from './service-spec.ts';
import { balancerIpWarnings } from '../validation/core/ip-warnings.ts';
import { serviceWarnings } from './service-warnings.ts';
import { dropTypeDependentFields, normalizeClusterIps, patchAllocatedValues } from './service-update.ts';

/** Follows kubernetes pkg/registry/core/service/{strategy,storage/storage,storage/alloc}.go. */
export const serviceRules: ResourceRules = {
  name: labelName,
  allowCreateOnUpdate: true,
  returnsDeletedObject: true,
  emptyStatus: { loadBalancer: {} },
  warningsOnCreate: serviceWarnings,
  warningsOnUpdate: (service, _old, subresource) =>
    subresource === 'status' ? balancerIpWarnings(service) : serviceWarnings(service),
  begin,
  afterDelete: (service, ports) => releaseClusterIps(clusterIpsOf(service), ports),
  prepareForUpdate: (service, old, subresource) => ok(subresource === '' ? withoutOtherTypes(service, old) : service),
};

async function begin(
  service: KubernetesObject,
  old: KubernetesObject | undefined,
  context: StrategyContext,
  ports: BeginPorts,
): Promise<Result<Begun>> {
  const draft = serviceDraftOf(service);
  const before = old && serviceDraftOf(old);
  if (before) patchAllocatedValues(draft, before);
  normalizeClusterIps(draft, before);
  const families = initIpFamilies(draft, before, clusterFamily);
  if (families.length > 0) return refuse(failed(service, families));
  const ips = clusterIpsFor(service, context, ports);
  const given = takesAddress(draft, before)
    ? await allocateClusterIp(metadataOf(service).name ?? '', draft, ips)
    : { ips: [] };
  if (!('ips' in given)) return refuse(failed(service, given));
  const release = async (some: readonly string[]): Promise<void> =>
    context.dryRun ? undefined : releaseClusterIps(some, ports);
  const failure = allocateNodePorts(draft, before, nodePortsFor(context));
  if ('exhausted' in failure || failure.length > 0) {
    await release(given.ips);
    return refuse(failed(service, failure));
  }
  const freed = old && before && !needsClusterIp(draft) ? clusterIpsOf(old) : [];
  return ok({
    object: withServiceDraft(service, draft),
    finish: (stored) => release(stored ? freed : given.ips),
  });
}

function nodePortsFor({ cluster, dryRun, random }: StrategyContext): NodePorts {
  const services = cluster.list({ group: '', resource: 'services' });
  return dryRun ? dryRunNodePorts(services) : createNodePorts(services, random);
}

const clusterFamily = 'IPv4';

function failed(service: KubernetesObject, failure: AllocationFailure): Status {
  const { name = '' } = metadataOf(service);
  return 'exhausted' in failure
    ? internalError(failure.exhausted)
    : invalid({ group: '', kind: 'Service' }, name, failure);
}

/** An update takes one only when the Service had none before because it was an ExternalName. */
const takesAddress = (draft: ServiceDraft, old: ServiceDraft | undefined): boolean =>
  needsClusterIp(draft) && draft.clusterIPs[0] !== 'None' && (!old || !needsClusterIp(old));

async function allocateClusterIp(
  name: string,
  draft: ServiceDraft,
  ips: ClusterIps,
): Promise<{ readonly ips: readonly string[] } | AllocationFailure> {
  const [wanted = ''] = draft.clusterIPs;
  const sent = draft.clusterIPs.length === 0 ? [''] : draft.clusterIPs;
  const taken = wanted === '' ? await ips.next() : await ips.take(wanted);
  if ('ip' in taken) {
    draft.clusterIP = taken.ip;
    draft.clusterIPs = [taken.ip, ...draft.clusterIPs.slice(1)];
    return { ips: [taken.ip] };
  }
  if (wanted === '' && isFull(taken.problem)) {
    return { exhausted: `failed to allocate a serviceIP for Service ${goQuote(name)}: range is full` };
  }
  const what = wanted === '' ? 'IP' : `IP ${wanted}`;
  return [invalidValue('spec.clusterIPs', sent, `failed to allocate ${what}: ${taken.problem}`)];
}

function withoutOtherTypes(service: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const draft = serviceDraftOf(service);
  dropTypeDependentFields(draft, serviceDraftOf(old));
  return withServiceDraft(service, draft);
}
