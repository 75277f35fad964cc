import type { Operation } from '../run/operation.ts';
import { box, CelError, isBox, noSuchOverload } from '../value/value.ts';
import type { Result, Value } from '../value/value.ts';
import type { Cidr } from './cidr-value.ts';
import type { IpAddress } from './ip-value.ts';
import { addressOf, cidrOf, parseCidr, parseIp } from './parse-ip.ts';

const ip: Operation = (text) => {
  if (typeof text !== 'string') return isBox(text, 'cidr') ? box('ip', text.value.ip) : noSuchOverload;
  const parsed = parseIp(text);
  return typeof parsed === 'string' ? new CelError(parsed) : box('ip', parsed);
};

const cidr: Operation = (text) => {
  if (typeof text !== 'string') return noSuchOverload;
  const parsed = parseCidr(text);
  return typeof parsed === 'string' ? new CelError(parsed) : box('cidr', parsed);
};

const isCanonical: Operation = (text) => {
  if (typeof text !== 'string') return noSuchOverload;
  const parsed = parseIp(text);
  return typeof parsed === 'string' ? new CelError(parsed) : parsed.text === text;
};

const isParsed =
  (parse: (text: string) => object | string): Operation =>
  (text) =>
    typeof text === 'string' ? typeof parse(text) !== 'string' : noSuchOverload;

const onIp =
  (answer: (ip: IpAddress) => Result): Operation =>
  (value) =>
    isBox(value, 'ip') ? answer(value.value) : noSuchOverload;

const onCidr =
  (answer: (cidr: Cidr, argument: Value) => Result): Operation =>
  (value, argument) =>
    isBox(value, 'cidr') ? answer(value.value, argument) : noSuchOverload;

const isV4 = ({ bytes }: IpAddress): boolean => bytes.length === 4;
const byte = ({ bytes }: IpAddress, index: number): number => bytes[index] ?? 0;

const isUnspecified = ({ bytes }: IpAddress): boolean => bytes.every((value) => value === 0);

const isLoopback = (address: IpAddress): boolean => (isV4(address) ? byte(address, 0) === 127 : address.text === '::1');

const isMulticast = (address: IpAddress): boolean =>
  isV4(address) ? byte(address, 0) >> 4 === 14 : byte(address, 0) === 255;

const isLinkLocalMulticast = (address: IpAddress): boolean =>
  isV4(address)
    ? byte(address, 0) === 224 && byte(address, 1) === 0 && byte(address, 2) === 0
    : byte(address, 0) === 255 && (byte(address, 1) & 15) === 2;

const isLinkLocalUnicast = (address: IpAddress): boolean =>
  isV4(address)
    ? byte(address, 0) === 169 && byte(address, 1) === 254
    : byte(address, 0) === 254 && byte(address, 1) >> 6 === 2;

const isGlobalUnicast = (address: IpAddress): boolean =>
  address.text !== '255.255.255.255' &&
  ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast].some((test) => test(address));

/** The address with everything after the first `bits` set to zero. */
function masked({ bytes }: IpAddress, bits: number): IpAddress {
  return addressOf(
    bytes.map((value, index) => {
      const kept = Math.min(8, Math.max(0, bits - index * 8));
      return value & (0xff << (8 - kept)) & 0xff;
    }),
  );
}

const contains = (outer: Cidr, address: IpAddress): boolean =>
  outer.ip.bytes.length === address.bytes.length &&
  masked(outer.ip, outer.bits).text === masked(address, outer.bits).text;

function containsIp(outer: Cidr, argument: Value): Result {
  if (isBox(argument, 'ip')) return contains(outer, argument.value);
  if (typeof argument !== 'string') return noSuchOverload;
  const parsed = parseIp(argument);
  // Recorded so: upstream does not tell why a text is no address here.
  return typeof parsed === 'string' ? noSuchOverload : contains(outer, parsed);
}

function containsCidr(outer: Cidr, argument: Value): Result {
  const inner = isBox(argument, 'cidr') ? argument.value : argument;
  const parsed = typeof inner === 'string' ? parseCidr(inner) : inner;
  if (typeof parsed === 'string') return new CelError(parsed);
  return isCidr(parsed) ? contains(outer, parsed.ip) && outer.bits <= parsed.bits : noSuchOverload;
}

const isCidr = (value: unknown): value is Cidr => typeof value === 'object' && value !== null && 'bits' in value;

/** Addresses and networks. Follows apiserver pkg/cel/library/ip.go and cidr.go. */
export const ipOperations: readonly (readonly [string, Operation])[] = [
  ['ip', ip],
  ['isIP', isParsed(parseIp)],
  ['ip.isCanonical', isCanonical],
  ['family', onIp((address) => (isV4(address) ? 4 : 6))],
  ['isUnspecified', onIp(isUnspecified)],
  ['isLoopback', onIp(isLoopback)],
  ['isLinkLocalMulticast', onIp(isLinkLocalMulticast)],
  ['isLinkLocalUnicast', onIp(isLinkLocalUnicast)],
  ['isGlobalUnicast', onIp(isGlobalUnicast)],
  ['cidr', cidr],
  ['isCIDR', isParsed(parseCidr)],
  ['containsIP', onCidr(containsIp)],
  ['containsCIDR', onCidr(containsCidr)],
  ['masked', onCidr(({ ip: address, bits }) => box('cidr', cidrOf(masked(address, bits), bits)))],
  ['prefixLength', onCidr(({ bits }) => bits)],
];
