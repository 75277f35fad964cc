import { invalidValue, type FieldError } from '../../machinery/meta/field-error.ts';
import { validateClusterIps } from '../validation/core/service-cluster-ips.ts';
import { hasNoClusterIP, equalTexts, type ServiceDraft } from './service-spec.ts';

const policyField = 'spec.ipFamilyPolicy';

/**
 * Sets ipFamilyPolicy and ipFamilies on a single-stack cluster; returns what is unsupported. Follows kubernetes
 * pkg/registry/core/service/storage/alloc.go initIPFamilyFields.
 */
export function initIpFamilies(
  draft: ServiceDraft,
  old: ServiceDraft | undefined,
  clusterFamily: string,
): readonly FieldError[] {
  if (hasSettledFamilies(draft, old)) return [];
  const selectorless = hasNoClusterIP(draft) && !draft.hasSelector;
  const defaultPolicy = selectorless ? 'RequireDualStack' : 'SingleStack';
  draft.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? defaultPolicy;
  const malformed = validateClusterIps({ ...draft, isAhead: true });
  if (malformed.length > 0) return malformed;
  const errors = [
    ...(old ? releaseSecondary(draft, old) : []),
    ...validateSingleStack(draft),
    ...inferFamilies(draft, clusterFamily),
  ];
  if (errors.length > 0) return errors;
  // A headless service without a selector may use other families than the cluster.
  const unsupported = selectorless ? [] : validateSupportedFamilies(draft, clusterFamily);
  if (unsupported.length === 0) addFamilies(draft, clusterFamily, selectorless);
  return unsupported;
}

/** ExternalName, or PreferDualStack unchanged. */
function hasSettledFamilies(draft: ServiceDraft, old: ServiceDraft | undefined): boolean {
  if (draft.type === 'ExternalName' || !old) return draft.type === 'ExternalName';
  return (
    draft.ipFamilyPolicy === 'PreferDualStack' &&
    (old.ipFamilyPolicy === undefined || old.ipFamilyPolicy === 'PreferDualStack') &&
    old.type === draft.type &&
    equalTexts(old.clusterIPs, draft.clusterIPs) &&
    equalTexts(old.ipFamilies, draft.ipFamilies)
  );
}

/** Changing to SingleStack releases the second address and family; removing them otherwise is an error. */
function releaseSecondary(draft: ServiceDraft, old: ServiceDraft): readonly FieldError[] {
  if (draft.ipFamilyPolicy === 'SingleStack') {
    if (equalTexts(old.clusterIPs, draft.clusterIPs)) draft.clusterIPs = draft.clusterIPs.slice(0, 1);
    if (equalTexts(old.ipFamilies, draft.ipFamilies)) draft.ipFamilies = draft.ipFamilies.slice(0, 1);
    return [];
  }
  const reduced = (list: 'clusterIPs' | 'ipFamilies'): boolean =>
    draft[list].length > 0 && draft[list].length < old[list].length;
  const policy = draft.ipFamilyPolicy ?? null;
  return [
    ...(reduced('clusterIPs')
      ? [invalidValue(policyField, policy, "must be 'SingleStack' to release the secondary cluster IP")]
      : []),
    ...(reduced('ipFamilies')
      ? [invalidValue(policyField, policy, "must be 'SingleStack' to release the secondary IP family")]
      : []),
  ];
}

function validateSingleStack({ ipFamilyPolicy, clusterIPs, ipFamilies }: ServiceDraft): readonly FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const text = (what: string): string =>
    `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
  return [
    ...(clusterIPs.length === 2 ? [invalidValue(policyField, ipFamilyPolicy, text('cluster IPs'))] : []),
    ...(ipFamilies.length === 2 ? [invalidValue(policyField, ipFamilyPolicy, text('IP families'))] : []),
  ];
}

function inferFamilies(draft: ServiceDraft, clusterFamily: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, ip] of draft.clusterIPs.entries()) {
    if (ip === 'None') break;
    if (index < draft.ipFamilies.length) continue;
    const family = ip.includes(':') ? 'IPv6' : 'IPv4';
    if (family === clusterFamily) draft.ipFamilies = [...draft.ipFamilies, family];
    else {
      const text = `${family} is not configured on this cluster`;
      errors.push(invalidValue(`spec.clusterIPs[${index}]`, draft.clusterIPs, text));
    }
  }
  return errors;
}

function validateSupportedFamilies(
  { ipFamilyPolicy, ipFamilies }: ServiceDraft,
  clusterFamily: string,
): readonly FieldError[] {
  return [
    ...(ipFamilyPolicy === 'RequireDualStack'
      ? [invalidValue(policyField, ipFamilyPolicy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...ipFamilies.flatMap((family, index) =>
      family === clusterFamily
        ? []
        : [invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}

function addFamilies(draft: ServiceDraft, clusterFamily: string, bothAllowed: boolean): void {
  if (draft.ipFamilies.length === 0) draft.ipFamilies = [clusterFamily];
  const [first] = draft.ipFamilies;
  if (bothAllowed && draft.ipFamilyPolicy !== 'SingleStack' && draft.ipFamilies.length < 2) {
    draft.ipFamilies = [...draft.ipFamilies, first === 'IPv4' ? 'IPv6' : 'IPv4'];
  }
}
