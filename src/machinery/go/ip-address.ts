/** Four decimal numbers without leading zeros. */
export function isIPv4(text: string): boolean {
  const numbers = text.split('.');
  return numbers.length === 4 && numbers.every((one) => /^(?:0|[1-9]\d{0,2})$/.test(one) && Number(one) <= 255);
}

/** Without brackets; a zone may follow. */
export function isIPv6(text: string): boolean {
  const [, address = ''] = /^([\da-f:.]+)(?:%[\w.~-]+)?$/i.exec(text) ?? [];
  return address !== '' && URL.canParse(`http://[${address}]`);
}

export const isIP = (text: string): boolean => isIPv4(text) || isIPv6(text);

/** An address as numbers of 16 bits: two for IPv4, eight for IPv6. */
type Groups = readonly number[];

/** An address or network as Go prints it, parsed by Go's lenient parsers; undefined if they refuse it. */
export interface Canonical {
  readonly text: string;
  /** An IPv4 address in the form of IPv6: `::ffff:10.0.0.1`. */
  readonly isMapped: boolean;
  readonly isIpv6: boolean;
}

/** Follows k8s.io/utils/net ParseIPSloppy and Go's net.IP.String: removes leading zeros; a mapped address becomes IPv4. */
export function canonicalIp(text: string): Canonical | undefined {
  const groups = parseGroups(text);
  if (!groups) return undefined;
  const isMapped = isMappedIPv4(groups);
  const isIpv6 = groups.length === 8 && !isMapped;
  return { text: isIpv6 ? formatIPv6(groups) : formatIPv4(groups.slice(-2)), isMapped, isIpv6 };
}

export interface CanonicalCidr extends Canonical {
  /** The address alone with the length of all its bits. */
  readonly single: string;
  readonly hasHostBits: boolean;
}

/** Follows k8s.io/utils/net ParseCIDRSloppy and Go's net.IPNet.String. */
export function canonicalCidr(text: string): CanonicalCidr | undefined {
  const [, address = '', length = ''] = /^(.+)\/(\d+)$/.exec(text) ?? [];
  const groups = parseGroups(address);
  if (!groups || Number(length) > groups.length * 16) return undefined;
  const isMapped = isMappedIPv4(groups);
  const isIpv6 = groups.length === 8 && !isMapped;
  const bits = Number(length);
  const masked = groups.map((group, index) => group & groupMask(bits - index * 16));
  return {
    text: formatNetwork(masked, bits),
    single: `${isIpv6 ? formatIPv6(groups) : formatIPv4(groups.slice(-2))}/${groups.length * 16}`,
    hasHostBits: masked.some((group, index) => group !== groups[index]),
    isMapped,
    isIpv6,
  };
}

function formatNetwork(masked: Groups, bits: number): string {
  if (isMappedIPv4(masked)) return `${formatIPv4(masked.slice(-2))}/${bits - 96}`;
  return `${masked.length === 8 ? formatIPv6(masked) : formatIPv4(masked)}/${bits}`;
}

function groupMask(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 16 ? 0xffff : (0xffff << (16 - bits)) & 0xffff;
}

const isMappedIPv4 = (groups: Groups): boolean =>
  groups.length === 8 && groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);

function parseGroups(text: string): Groups | undefined {
  if (!text.includes(':')) return parseIPv4Groups(text);
  const at = text.lastIndexOf(':') + 1;
  if (!text.slice(at).includes('.')) return parseIPv6Groups(text);
  const tail = parseIPv4Groups(text.slice(at));
  const groups = parseIPv6Groups(`${text.slice(0, at)}0:0`);
  return tail && groups ? [...groups.slice(0, 6), ...tail] : undefined;
}

function parseIPv6Groups(text: string): Groups | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [before = [], after = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (![...before, ...after].every((group) => /^0*[\da-fA-F]{1,4}$/.test(group))) return undefined;
  const missing = 8 - before.length - after.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const zeros = Array.from({ length: missing }, () => 0);
  return [...before.map(parseHex), ...zeros, ...after.map(parseHex)];
}

const parseHex = (group: string): number => Number.parseInt(group, 16);

function parseIPv4Groups(text: string): Groups | undefined {
  const bytes = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (!bytes) return undefined;
  const [a, b, c, d] = [Number(bytes[1]), Number(bytes[2]), Number(bytes[3]), Number(bytes[4])];
  return Math.max(a, b, c, d) < 256 ? [a * 256 + b, c * 256 + d] : undefined;
}

const formatIPv4 = ([high = 0, low = 0]: Groups): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

/** Follows RFC 5952: the first longest run of two zeros or more is left out. */
function formatIPv6(groups: Groups): string {
  const runs = groups.map((_group, from) => {
    const end = groups.findIndex((group, index) => index >= from && group !== 0);
    return { from, length: (end < 0 ? groups.length : end) - from };
  });
  const best = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), { from: 0, length: 1 });
  const hex = (part: Groups): string => part.map((group) => group.toString(16)).join(':');
  if (best.length < 2) return hex(groups);
  return `${hex(groups.slice(0, best.from))}::${hex(groups.slice(best.from + best.length))}`;
}
