import { goQuote } from '../../machinery/meta/field-error.ts';
import type { CelOperation } from '../run/frame.ts';
import { box, CelError, isBox, onBox, noSuchOverload, type CelResult, type Value } from '../value/value.ts';
import type { Cidr, IpAddress } from './opaque-values.ts';
import { type CostRange, zeroCost, costOfOne, perChar, addCosts, scaleCost, sumCosts } from '../estimate/estimator.ts';
import {
  type EstimatedCall,
  type FunctionCost,
  type FunctionRow,
  readCost,
  sizeOf,
  tenth,
  unitCost,
} from './cel-function.ts';

/** An address, or Go's error. Kubernetes takes no zones and no IPv4-mapped ones. Follows go src/net/netip/netip.go. */
function parseIp(text: string): IpAddress | string {
  const bytes = text.includes(':') ? parseIpv6(text) : parseIpv4(text);
  const errorText = (reason: string): string =>
    `IP Address ${goQuote(text)} parse error during conversion from string: ParseAddr(${goQuote(text)}): ${reason}`;
  if (typeof bytes === 'string') {
    return bytes === zoned ? `IP address ${goQuote(text)} with zone value is not allowed` : errorText(bytes);
  }
  if (isMapped(bytes)) return `IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`;
  return createAddress(bytes);
}

const parseErrorText = 'network address parse error during conversion from string';

/** A prefix such as `10.0.0.0/8`, or Go's error, introduced twice. Follows go src/net/netip/netip.go ParsePrefix. */
function parseCidr(text: string): Cidr | string {
  const errorText = (reason: string): string =>
    `${parseErrorText}: ${parseErrorText}: netip.ParsePrefix(${goQuote(text)}): ${reason}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return errorText("no '/'");
  const address = text.slice(0, slash);
  const bytes = address.includes(':') ? parseIpv6(address) : parseIpv4(address);
  if (typeof bytes === 'string') {
    return errorText(
      bytes === zoned ? 'IPv6 zones cannot be present in a prefix' : `ParseAddr(${goQuote(address)}): ${bytes}`,
    );
  }
  if (isMapped(bytes)) return `IPv4-mapped IPv6 address ${goQuote(address)} is not allowed`;
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]*)$/.test(bits)) return errorText(`bad bits after slash: ${goQuote(bits)}`);
  if (Number(bits) > bytes.length * 8) return errorText('prefix length out of range');
  return createCidr(createAddress(bytes), Number(bits));
}

const createAddress = (bytes: readonly number[]): IpAddress => ({
  bytes,
  text: bytes.length === 4 ? bytes.join('.') : ipv6Text(bytes),
});

const createCidr = (ip: IpAddress, bits: number): Cidr => ({ ip, bits, text: `${ip.text}/${bits}` });

const zoned = 'zoned';

function isMapped(bytes: readonly number[]): boolean {
  if (bytes.length !== 16) return false;
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
}

function parseIpv4(text: string): readonly number[] | string {
  if (!text.includes('.')) return 'unable to parse IP';
  const fields = text.split('.', 5);
  for (const field of fields.slice(0, 4)) {
    const error = octetError(field);
    if (error !== undefined) return error;
  }
  if (fields.length < 4) return 'IPv4 address too short';
  return fields.length > 4 ? 'IPv4 address too long' : fields.map(Number);
}

function octetError(field: string): string | undefined {
  if (field === '') return 'IPv4 field must have at least one digit';
  const nonDigit = /\D/.exec(field);
  if (nonDigit !== null) return `unexpected character (at ${goQuote(field.slice(nonDigit.index))})`;
  if (field.length > 1 && field.startsWith('0')) return 'IPv4 field has octet with leading zero';
  return Number(field) > 255 ? 'IPv4 field has value >255' : undefined;
}

function parseIpv6(text: string): readonly number[] | string {
  if (text.includes('%')) return text.endsWith('%') ? 'zone must be a non-empty string' : zoned;
  const halves = text.split('::');
  if (halves.length > 2) return `multiple :: in address (at ${goQuote(text.slice(text.lastIndexOf('::')))})`;
  const [head = '', tail] = halves;
  const before = parseGroups(head);
  const after = parseGroups(tail ?? '');
  if (typeof before === 'string') return before;
  if (typeof after === 'string') return after;
  const missing = 16 - before.length - after.length;
  if (tail === undefined) return missing === 0 ? before : lengthError(missing);
  if (missing < 2) return 'the :: must expand to at least one field of zeros';
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

const lengthError = (missing: number): string =>
  missing > 0 ? 'address string too short' : 'trailing garbage after address';

/** Two more than there can be. */
const maxGroups = 10;

/** The bytes of colon-separated groups; the last may be an IPv4 address. */
function parseGroups(text: string): readonly number[] | string {
  if (text === '') return [];
  const groups = text.split(':', maxGroups);
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    if (group.includes('.') && index === groups.length - 1) {
      const embedded = parseIpv4(group);
      if (typeof embedded === 'string') return embedded;
      bytes.push(...embedded);
      continue;
    }
    if (group === '') return `each colon-separated field must have at least one digit (at ${goQuote(`:${group}`)})`;
    if (!/^[0-9a-fA-F]+$/.test(group)) return `unexpected character (at ${goQuote(group)})`;
    if (group.length > 4) return 'each group must have 4 or less digits';
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 255);
  }
  return bytes;
}

/** RFC 5952: lower case, the longest run of two or more zero groups as `::`. */
function ipv6Text(bytes: readonly number[]): string {
  const groups = Array.from(
    { length: 8 },
    (_value, index) => (bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0),
  );
  const run = longestZeros(groups);
  const texts = groups.map((group) => group.toString(16));
  if (run.length < 2) return texts.join(':');
  return `${texts.slice(0, run.start).join(':')}::${texts.slice(run.start + run.length).join(':')}`;
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1;
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  }
  return best;
}

const ip: CelOperation = (text) => {
  if (typeof text !== 'string') return isBox(text, 'cidr') ? box('ip', text.value.ip) : noSuchOverload;
  const parsed = parseIp(text);
  return typeof parsed === 'string' ? new CelError(parsed) : box('ip', parsed);
};

const cidr: CelOperation = (text) => {
  if (typeof text !== 'string') return noSuchOverload;
  const parsed = parseCidr(text);
  return typeof parsed === 'string' ? new CelError(parsed) : box('cidr', parsed);
};

const isCanonical: CelOperation = (text) => {
  if (typeof text !== 'string') return noSuchOverload;
  const parsed = parseIp(text);
  return typeof parsed === 'string' ? new CelError(parsed) : parsed.text === text;
};

const isParsed =
  (parse: (text: string) => object | string): CelOperation =>
  (text) =>
    typeof text === 'string' ? typeof parse(text) !== 'string' : noSuchOverload;

const isV4 = ({ bytes }: IpAddress): boolean => bytes.length === 4;
const byteAt = ({ bytes }: IpAddress, index: number): number => bytes[index] ?? 0;

const isUnspecified = ({ bytes }: IpAddress): boolean => bytes.every((value) => value === 0);

const isLoopback = (address: IpAddress): boolean =>
  isV4(address) ? byteAt(address, 0) === 127 : address.text === '::1';

const isMulticast = (address: IpAddress): boolean =>
  isV4(address) ? byteAt(address, 0) >> 4 === 14 : byteAt(address, 0) === 255;

const isLinkLocalMulticast = (address: IpAddress): boolean =>
  isV4(address)
    ? byteAt(address, 0) === 224 && byteAt(address, 1) === 0 && byteAt(address, 2) === 0
    : byteAt(address, 0) === 255 && (byteAt(address, 1) & 15) === 2;

const isLinkLocalUnicast = (address: IpAddress): boolean =>
  isV4(address)
    ? byteAt(address, 0) === 169 && byteAt(address, 1) === 254
    : byteAt(address, 0) === 254 && byteAt(address, 1) >> 6 === 2;

const isGlobalUnicast = (address: IpAddress): boolean =>
  address.text !== '255.255.255.255' &&
  ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast].some((test) => test(address));

/** The address with everything after the first `bits` set to zero. */
function maskAddress({ bytes }: IpAddress, bits: number): IpAddress {
  return createAddress(
    bytes.map((value, index) => {
      const prefixBits = Math.min(8, Math.max(0, bits - index * 8));
      return value & (0xff << (8 - prefixBits)) & 0xff;
    }),
  );
}

const contains = (outer: Cidr, address: IpAddress): boolean =>
  outer.ip.bytes.length === address.bytes.length &&
  maskAddress(outer.ip, outer.bits).text === maskAddress(address, outer.bits).text;

function containsIp(outer: Cidr, argument: Value): CelResult {
  if (isBox(argument, 'ip')) return contains(outer, argument.value);
  if (typeof argument !== 'string') return noSuchOverload;
  const parsed = parseIp(argument);
  // As recorded: upstream does not say why a text is not an address here.
  return typeof parsed === 'string' ? noSuchOverload : contains(outer, parsed);
}

function containsCidr(outer: Cidr, argument: Value): CelResult {
  const inner = isBox(argument, 'cidr') ? argument.value : argument;
  const parsed = typeof inner === 'string' ? parseCidr(inner) : inner;
  if (typeof parsed === 'string') return new CelError(parsed);
  return isCidr(parsed) ? contains(outer, parsed.ip) && outer.bits <= parsed.bits : noSuchOverload;
}

const isCidr = (value: unknown): value is Cidr => typeof value === 'object' && value !== null && 'bits' in value;

const canonicalCost: FunctionCost = {
  runtime: (text) => Math.ceil(sizeOf(text) * 0.2),
  estimate: ({ size }) => ({ cost: scaleCost(size(0), 2 * perChar) }),
};

/** The bytes of the network part, as upstream measures a CIDR. */
const networkSize = (network: CelResult): number => (isBox(network, 'cidr') ? Math.ceil(network.value.bits / 8) : 1);

const addressSize: CostRange = { min: 4n, max: 16n };
const estimatedMask = scaleCost(addCosts(addressSize, addressSize), perChar);

/** An argument that is a text is parsed first. */
const parseArgument = (argument: CelResult): number => (typeof argument === 'string' ? tenth(sizeOf(argument)) : 0);

const estimateArgument = ({ overload, size }: EstimatedCall): CostRange =>
  overload.endsWith('_string') ? scaleCost(size(1), perChar) : zeroCost;

const containsIpCost: FunctionCost = {
  runtime: (network, address) => Math.ceil(networkSize(network) * 0.2) + parseArgument(address),
  estimate: (call) => ({ cost: addCosts(estimatedMask, estimateArgument(call)) }),
};

const containsCidrCost: FunctionCost = {
  runtime: (network, other) =>
    Math.ceil(networkSize(network) * 0.2) + tenth(networkSize(network)) + 1 + parseArgument(other),
  estimate: (call) => ({
    cost: sumCosts([estimatedMask, scaleCost(addressSize, perChar), costOfOne, estimateArgument(call)]),
  }),
};

/** Addresses and networks. Follows apiserver pkg/cel/library/ip.go and cidr.go. */
export const ipFunctions: readonly FunctionRow[] = [
  ['ip', ip, readCost, { cidr_ip: unitCost }],
  ['isIP', isParsed(parseIp), readCost],
  ['ip.isCanonical', isCanonical, canonicalCost],
  ['family', onBox('ip', (address) => (isV4(address) ? 4 : 6)), unitCost],
  ['isUnspecified', onBox('ip', isUnspecified), unitCost],
  ['isLoopback', onBox('ip', isLoopback), unitCost],
  ['isLinkLocalMulticast', onBox('ip', isLinkLocalMulticast), unitCost],
  ['isLinkLocalUnicast', onBox('ip', isLinkLocalUnicast), unitCost],
  ['isGlobalUnicast', onBox('ip', isGlobalUnicast), unitCost],
  ['cidr', cidr, readCost],
  ['isCIDR', isParsed(parseCidr), readCost],
  ['containsIP', onBox('cidr', containsIp), containsIpCost],
  ['containsCIDR', onBox('cidr', containsCidr), containsCidrCost],
  [
    'masked',
    onBox('cidr', ({ ip: address, bits }) => box('cidr', createCidr(maskAddress(address, bits), bits))),
    unitCost,
  ],
  ['prefixLength', onBox('cidr', ({ bits }) => bits), unitCost],
];
