import { canonicalCidr, canonicalIp } from '../../../machinery/go/ip-address.ts';
import { invalidValue, type FieldError } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { NetworkPolicy } from '../../types/generated/networking-v1.ts';
import type { Service } from '../../types/generated/core-v1.ts';
import type { FieldErrors } from '../field-rules.ts';

export const notAnIpText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
export const notACidrText = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Accepts leading zeros. Follows k8s.io/utils/net ParseIPSloppy. */
export const isIpAddress = (text: string): boolean => isIpv4(text) || isIpv6(text);

const isIpv4 = (text: string): boolean =>
  /^\d+(\.\d+){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);

function isIpv6(text: string): boolean {
  const withoutIpv4 = text.replace(/(?<=:)\d+(\.\d+){3}$/, (ipv4) => (isIpv4(ipv4) ? '0:0' : 'x'));
  const halves = withoutIpv4.split('::');
  if (halves.length > 2 || !withoutIpv4.includes(':')) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':'))).flat();
  if (groups.some((group) => !/^0*[\da-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}

export function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^(.+)\/(\d+)$/.exec(text) ?? [];
  return (isIpv4(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128);
}

/** For new fields. Follows apimachinery pkg/util/validation/ip.go IsValidCIDR. */
export function validateCidr(field: string, text: string): readonly FieldError[] {
  const errors = validateLegacyCidr(field, text);
  return errors.length > 0 ? errors : validateCanonicalForm(field, text, canonicalCidr(text)?.text);
}

/** Accepts non-canonical forms. Follows IsValidCIDRForLegacyField. */
export function validateLegacyCidr(field: string, text: string): readonly FieldError[] {
  if (!isCidr(text)) return [invalidValue(field, text, notACidrText)];
  if (/(?:^|[./])0\d/.test(text) && !text.includes(':')) {
    return [invalidValue(field, text, 'must not have leading 0s in IP or prefix length')];
  }
  const { isMapped, hasHostBits: hasMore = false } = canonicalCidr(text) ?? {};
  if (isMapped) return [invalidValue(field, text, 'must not have an IPv4-mapped IPv6 address')];
  return hasMore ? [invalidValue(field, text, 'must not have bits set beyond the prefix length')] : [];
}

const validateCanonicalForm = (field: string, text: string, canonical = text): readonly FieldError[] =>
  canonical === text ? [] : [invalidValue(field, text, `must be in canonical form (${JSON.stringify(canonical)})`)];

/** For new fields. Follows apimachinery pkg/util/validation/ip.go IsValidIP. */
export function validateCanonicalIp(field: string, text: string): readonly FieldError[] {
  const errors = validateIp(field, text);
  return errors.length > 0 ? errors : validateCanonicalForm(field, text, canonicalIp(text)?.text);
}

/** Rejects ambiguous addresses. Follows apimachinery pkg/util/validation/ip.go parseIP. */
export function validateIp(field: string, text: string): readonly FieldError[] {
  if (!isIpAddress(text)) return [invalidValue(field, text, notAnIpText)];
  if (!text.includes(':') && /(?:^|\.)0\d/.test(text)) return [invalidValue(field, text, 'must not have leading 0s')];
  const isMapped = canonicalIp(text)?.isMapped === true;
  return isMapped ? [invalidValue(field, text, 'must not be an IPv4-mapped IPv6 address')] : [];
}

type ValidateUpdate<Kind> = (object: Kind, old: Kind, subresource: string) => FieldErrors;

const ambiguousDetails: ReadonlySet<string> = new Set([
  'must not have leading 0s',
  'must not be an IPv4-mapped IPv6 address',
  'must not have leading 0s in IP or prefix length',
  'must not have an IPv4-mapped IPv6 address',
  'must not have bits set beyond the prefix length',
]);

/** Errors that releases before 1.36 do not report. */
export const isAmbiguousAddress = ({ detail }: FieldError): boolean => ambiguousDetails.has(detail);

/**
 * Tolerates ambiguous addresses that the old object has. Follows apimachinery pkg/util/validation/ip.go
 * IsValidIPForLegacyField.
 */
export const withAddressRatcheting =
  <Kind>(
    validateUpdate: ValidateUpdate<Kind>,
    addressesOf: (object: Kind) => readonly string[],
  ): ValidateUpdate<Kind> =>
  (object, old, subresource) => {
    const errors = validateUpdate(object, old, subresource);
    if (!errors.some(isAmbiguousAddress)) return errors;
    const known = new Set(addressesOf(old));
    return errors.filter((error) => !(isAmbiguousAddress(error) && known.has(asString(error.given))));
  };

const sourceRanges = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** Follows kubernetes pkg/apis/core/validation validateService. */
export function listServiceAddresses(service: Service): readonly string[] {
  const { clusterIPs, externalIPs, loadBalancerSourceRanges } = asObject(service.spec);
  const listed = [clusterIPs, externalIPs, loadBalancerSourceRanges].flatMap((list) => asList(list));
  const annotated = (metadataOf(service).annotations?.[sourceRanges] ?? '').split(',');
  return [...listed.map(asString), ...annotated].map((text) => text.trim());
}

/** Follows kubernetes pkg/apis/networking/validation ValidateNetworkPolicyUpdate. */
export function listPolicyNetworks(policy: NetworkPolicy): readonly string[] {
  const { ingress, egress } = asObject(policy.spec);
  const peers = [
    ...asList(ingress).flatMap((rule) => asList(rule.from)),
    ...asList(egress).flatMap((rule) => asList(rule.to)),
  ];
  return peers.flatMap((peer) => {
    const { cidr, except } = asObject(peer.ipBlock);
    return [asString(cidr), ...asList(except).map(asString)];
  });
}
