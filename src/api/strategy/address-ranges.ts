import type { Random } from '../../machinery/clock.ts';

/** The first `staticBand` numbers are for explicit requests. */
export interface Band {
  readonly first: number;
  readonly last: number;
  readonly staticBand: number;
}

/** From a random start above the static band, then inside the band. */
export function pick(
  { first, last, staticBand }: Band,
  random: Random,
  isFree: (number: number) => boolean,
): number | undefined {
  const low = Math.min(first + staticBand, last);
  const start = low + Math.floor(random() * (last - low + 1));
  const parts = [
    [start, last],
    [low, start - 1],
    [first, low - 1],
  ] as const;
  for (const [from, to] of parts) {
    for (let number = from; number <= to; number += 1) if (isFree(number)) return number;
  }
  return undefined;
}

/** Without the network and broadcast addresses. */
export function hostsOf(range: string): Band {
  const [, bits = '32'] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  const base = ipNumber(networkOf(range)) ?? 0;
  const staticBand = Math.min(Math.max(16, Math.floor(size / 16)), 256);
  if (size <= 2) return { first: base, last: base + size - 1, staticBand: 0 };
  return { first: base + 1, last: base + size - 2, staticBand };
}

/** The network address, which a dry run gets. */
export function networkOf(range: string): string {
  const [address = '', bits = '32'] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  return ipText(Math.floor((ipNumber(address) ?? 0) / size) * size);
}

/** The address of the Service `kubernetes`. */
export const firstHost = (range: string): string => ipText(hostsOf(range).first);

export function isHostOf(range: string, ip: string): boolean {
  const [number, { first, last }] = [ipNumber(ip), hostsOf(range)];
  return number !== undefined && number >= first && number <= last;
}

function ipNumber(ip: string): number | undefined {
  const parts = ip.split('.').map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 256));
  if (parts.length !== 4 || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

export const ipText = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
