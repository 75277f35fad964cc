import { canonicalCidr, canonicalIp } from '../../../machinery/go/canonical-ip.ts';
import { invalidValue, type FieldError } from '../../../machinery/meta/field-error.ts';

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
export function strictCidr(field: string, text: string): readonly FieldError[] {
  const errors = legacyCidr(field, text);
  return errors.length > 0 ? errors : notCanonical(field, text, canonicalCidr(text)?.text);
}

/** Accepts non-canonical forms. Follows IsValidCIDRForLegacyField. */
export function legacyCidr(field: string, text: string): readonly FieldError[] {
  if (!isCidr(text)) return [invalidValue(field, text, notACidrText)];
  if (/(?:^|[./])0\d/.test(text) && !text.includes(':')) {
    return [invalidValue(field, text, 'must not have leading 0s in IP or prefix length')];
  }
  const { isMapped, hasHostBits: hasMore = false } = canonicalCidr(text) ?? {};
  if (isMapped) return [invalidValue(field, text, 'must not have an IPv4-mapped IPv6 address')];
  return hasMore ? [invalidValue(field, text, 'must not have bits set beyond the prefix length')] : [];
}

const notCanonical = (field: string, text: string, wanted = text): readonly FieldError[] =>
  wanted === text ? [] : [invalidValue(field, text, `must be in canonical form (${JSON.stringify(wanted)})`)];

/** For new fields. Follows apimachinery pkg/util/validation/ip.go IsValidIP. */
export function canonicalIpErrors(field: string, text: string): readonly FieldError[] {
  const errors = strictIp(field, text);
  return errors.length > 0 ? errors : notCanonical(field, text, canonicalIp(text)?.text);
}

/** Rejects ambiguous addresses. Follows apimachinery pkg/util/validation/ip.go parseIP. */
export function strictIp(field: string, text: string): readonly FieldError[] {
  if (!isIpAddress(text)) return [invalidValue(field, text, notAnIpText)];
  if (!text.includes(':') && /(?:^|\.)0\d/.test(text)) return [invalidValue(field, text, 'must not have leading 0s')];
  const isMapped = canonicalIp(text)?.isMapped === true;
  return isMapped ? [invalidValue(field, text, 'must not be an IPv4-mapped IPv6 address')] : [];
}
