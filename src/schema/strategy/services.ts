import { invalidValue } from '../../apimachinery/field-error.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { internalError, invalid } from '../../apimachinery/status.ts';
import { createServiceAddresses } from './service-addresses.ts';
import type { ServiceAddresses } from './service-addresses.ts';
import type { StrategyContext } from './strategy.ts';
import { labelName } from '../validate/name-rule.ts';
import type { ResourceRules } from './resource-rules.ts';
import { initIpFamilies } from './service-ip-families.ts';
import { allocateNodePorts } from './service-node-ports.ts';
import { isHeadless, needsClusterIp, serviceDraftOf, withServiceDraft } from './service-spec.ts';
import type { AllocationFailure, ServiceDraft } from './service-spec.ts';
import { serviceWarnings } from './service-warnings.ts';
import { dropTypeDependentFields, normalizeClusterIps, patchAllocatedValues } from './service-update.ts';

/** Follows kubernetes pkg/registry/core/service/{strategy,storage/storage,storage/alloc}.go. */
export const serviceRules: ResourceRules = {
  name: labelName,
  allowCreateOnUpdate: true,
  returnsDeletedObject: true,
  emptyStatus: { loadBalancer: {} },
  warningsOnCreate: serviceWarnings,
  warningsOnUpdate: (service, _old, subresource) => (subresource === '' ? serviceWarnings(service) : []),
  prepareForCreate: (service, context) => allocate(service, undefined, context),
  prepareForUpdate: (service, old, subresource, context) =>
    subresource === '' ? allocate(service, old, context) : ok(service),
};

function allocate(
  service: KubernetesObject,
  old: KubernetesObject | undefined,
  context: StrategyContext,
): Result<KubernetesObject> {
  const draft = serviceDraftOf(service);
  const before = old && serviceDraftOf(old);
  if (before) patchAllocatedValues(draft, before);
  normalizeClusterIps(draft, before);
  const services = context.cluster.list({ group: '', resource: 'services' });
  const addresses = createServiceAddresses(context.serviceClusterIpRange, services, context.random);
  const failure = fillIn(draft, before, addresses);
  if ('exhausted' in failure) return refuse(internalError(failure.exhausted));
  if (failure.length > 0) {
    return refuse(invalid({ group: '', kind: 'Service' }, metadataOf(service).name ?? '', failure));
  }
  if (before) dropTypeDependentFields(draft, before);
  return ok(withServiceDraft(service, draft));
}

const clusterFamily = 'IPv4';

function fillIn(draft: ServiceDraft, old: ServiceDraft | undefined, addresses: ServiceAddresses): AllocationFailure {
  const families = initIpFamilies(draft, old, clusterFamily);
  if (families.length > 0) return families;
  const needsAddress = needsClusterIp(draft) && !isHeadless(draft) && (!old || !needsClusterIp(old));
  const ips = needsAddress ? allocateClusterIps(draft, addresses) : [];
  if ('exhausted' in ips || ips.length > 0) return ips;
  return allocateNodePorts(draft, old, addresses);
}

function allocateClusterIps(draft: ServiceDraft, addresses: ServiceAddresses): AllocationFailure {
  const [wanted] = draft.clusterIPs;
  if (wanted) {
    const problem = addresses.takeIp(wanted);
    return problem === ''
      ? []
      : [invalidValue('spec.clusterIPs', draft.clusterIPs, `failed to allocate IP ${wanted}: ${problem}`)];
  }
  const ip = addresses.nextIp();
  if (ip === undefined) return { exhausted: 'failed to allocate a serviceIP: range is full' };
  draft.clusterIP = ip;
  draft.clusterIPs = [ip];
  return [];
}
