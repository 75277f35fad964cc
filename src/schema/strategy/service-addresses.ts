import type { Random } from '../../apimachinery/clock.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';

/** The cluster IPs and node ports one request may take. What it takes is remembered, so that it takes nothing twice. */
export interface ServiceAddresses {
  /** A free address, or undefined when there is none left. */
  readonly nextIp: () => string | undefined;
  /** Takes this very address; says why it cannot, or `''`. */
  readonly takeIp: (ip: string) => string;
  readonly nextPort: () => number | undefined;
  readonly takePort: (port: number) => string;
}

/** Numbers to hand out; the first `staticBand` of them are meant for those who ask for one. */
interface Band {
  readonly first: number;
  readonly last: number;
  readonly staticBand: number;
}

const ports: Band = { first: 30000, last: 32767, staticBand: 86 };

/**
 * The addresses that `services` have left free. They are handed out at random from above the band that is meant for requested
 * ones, and from the band when the rest is full. `range` is an IPv4 CIDR.
 * Follows kubernetes pkg/registry/core/service/{ipallocator,portallocator}/*.go.
 */
export function createServiceAddresses(
  range: string,
  services: readonly KubernetesObject[],
  random: Random,
): ServiceAddresses {
  const takenIps = new Set(services.flatMap(clusterIpsOf));
  const takenPorts = new Set(services.flatMap(nodePortsOf));
  const hosts = hostsOf(range);
  return {
    nextIp: () => {
      const free = pick(hosts, random, (number) => !takenIps.has(ipText(number)));
      if (free === undefined) return undefined;
      takenIps.add(ipText(free));
      return ipText(free);
    },
    takeIp: (ip) => {
      const number = ipNumber(ip);
      if (number === undefined || number < hosts.first || number > hosts.last) {
        return `the provided network does not match the current range`;
      }
      return take(takenIps, ip) ? '' : 'provided IP is already allocated';
    },
    nextPort: () => {
      const free = pick(ports, random, (port) => !takenPorts.has(port));
      if (free !== undefined) takenPorts.add(free);
      return free;
    },
    takePort: (port) => {
      if (port < ports.first || port > ports.last) {
        return `provided port is not in the valid range. The range of valid ports is ${ports.first}-${ports.last}`;
      }
      return take(takenPorts, port) ? '' : 'provided port is already allocated';
    },
  };
}

function take<T>(taken: Set<T>, wanted: T): boolean {
  if (taken.has(wanted)) return false;
  taken.add(wanted);
  return true;
}

/** A free number from `first` to `last`: the first one after a random start above the band, else the first in the band. */
function pick(
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

function clusterIpsOf(service: KubernetesObject): readonly string[] {
  const { clusterIP, clusterIPs } = asObject(service['spec']);
  return [asString(clusterIP), ...asList(clusterIPs).map(asString)].filter((ip) => ip !== '' && ip !== 'None');
}

function nodePortsOf(service: KubernetesObject): readonly number[] {
  const spec = asObject(service['spec']);
  const nodePorts = asList(spec['ports']).map((port) => Number(asObject(port)['nodePort'] ?? 0));
  return [...nodePorts, Number(spec['healthCheckNodePort'] ?? 0)].filter((port) => port !== 0);
}

/** The addresses of a network but its own and the broadcast address. */
function hostsOf(range: string): Band {
  const [address = '', bits = '32'] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  const base = Math.floor((ipNumber(address) ?? 0) / size) * size;
  const staticBand = Math.min(Math.max(16, Math.floor(size / 16)), 256);
  if (size <= 2) return { first: base, last: base + size - 1, staticBand: 0 };
  return { first: base + 1, last: base + size - 2, staticBand };
}

/** An IPv4 address as a number. */
function ipNumber(ip: string): number | undefined {
  const parts = ip.split('.').map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 256));
  if (parts.length !== 4 || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

const ipText = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
