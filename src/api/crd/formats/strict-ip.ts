import { isIpAddress } from '../../validation/core/ip-address.ts';

/** An IPv6 address as Go reads it: no leading zeros in its IPv4 part, which ipv4 and cidr take, and no group of five digits. */
export function isStrictIpv6(text: string): boolean {
  return text.includes(':') && isIpAddress(text) && !/[:.]0\d+\.|\.0\d|[\da-fA-F]{5}/.test(text);
}

/** Follows go src/net/ip.go ParseIP. */
export const isStrictIp = (text: string): boolean =>
  text.includes(':') ? isStrictIpv6(text) : isIpAddress(text) && !/(?:^|\.)0\d/.test(text);
