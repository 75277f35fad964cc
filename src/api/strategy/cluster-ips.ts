import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import { metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import type { LoopbackClient } from '../../machinery/meta/cluster-view.ts';
import type { BeginPorts, StrategyContext } from './strategy.ts';
import type { Random } from '../../machinery/clock.ts';

/** The first `staticBand` numbers are for explicit requests. */
export interface AllocationRange {
  readonly first: number;
  readonly last: number;
  readonly staticBand: number;
}

/** From a random start above the static band, then inside the band. */
export function pickFreeNumber(
  { first, last, staticBand }: AllocationRange,
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
export function parseAllocationRange(range: string): AllocationRange {
  const [, bits = '32'] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  const base = parseIp(networkAddress(range)) ?? 0;
  const staticBand = Math.min(Math.max(16, Math.floor(size / 16)), 256);
  if (size <= 2) return { first: base, last: base + size - 1, staticBand: 0 };
  return { first: base + 1, last: base + size - 2, staticBand };
}

/** The network address, which a dry run gets. */
export function networkAddress(range: string): string {
  const [address = '', bits = '32'] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  return formatIp(Math.floor((parseIp(address) ?? 0) / size) * size);
}

/** The address of the Service `kubernetes`. */
export const firstHostAddress = (range: string): string => formatIp(parseAllocationRange(range).first);

export function isHostInRange(range: string, ip: string): boolean {
  const [number, { first, last }] = [parseIp(ip), parseAllocationRange(range)];
  return number !== undefined && number >= first && number <= last;
}

function parseIp(ip: string): number | undefined {
  const parts = ip.split('.').map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 256));
  if (parts.length !== 4 || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

export const formatIp = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');

export interface ClusterIpAllocator {
  readonly next: () => Promise<AllocationResult>;
  readonly take: (ip: string) => Promise<AllocationResult>;
}

type AllocationResult = { readonly ip: string } | { readonly problem: string };

const ipAddressesPath = '/apis/networking.k8s.io/v1/ipaddresses';
const serviceCidrsResource = { group: 'networking.k8s.io', resource: 'servicecidrs' };
const ipAddressesResource = { group: 'networking.k8s.io', resource: 'ipaddresses' };
const rangeFullText = 'range is full';
const alreadyAllocatedText = 'provided IP is already allocated';
const mismatchedNetworkText = 'the provided network does not match the current range';
const allocatorNotReadyText = 'allocator not ready';
const formatNotInRange = (ip: string, range: string): string =>
  `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${range}`;

/**
 * Each address is an IPAddress object created by a request, which webhooks see. A dry run allocates none and gets the
 * network address of the first range. IPv4 only. Follows kubernetes
 * pkg/registry/core/service/ipallocator/{cidrallocator,ipallocator}.go.
 */
export function createClusterIpAllocator(
  service: KubernetesObject,
  { cluster, random, dryRun, serviceClusterIpRange }: StrategyContext,
  { api, hasIpAddresses }: BeginPorts,
): ClusterIpAllocator {
  const ranges = hasIpAddresses
    ? cluster.list(serviceCidrsResource).flatMap(readReadyRanges)
    : [primaryRange(serviceClusterIpRange)];
  const [range] = ranges;
  const own = hasIpAddresses
    ? new Set<string>()
    : new Set(cluster.list({ group: '', resource: 'services' }).flatMap(listClusterIps));
  const isTaken = (ip: string): boolean =>
    own.has(ip) || (hasIpAddresses && cluster.get(ipAddressesResource, '', ip) !== undefined);
  const create = (ip: string): Promise<string> =>
    hasIpAddresses ? createAddress(api, ip, service) : Promise.resolve('');
  return {
    next: async () => {
      if (dryRun) return range === undefined ? { problem: allocatorNotReadyText } : { ip: networkAddress(range) };
      const tried = new Set<string>();
      for (const one of ranges) {
        for (let ip = freeIn(one); ip !== undefined; ip = freeIn(one)) {
          tried.add(ip);
          const problem = await create(ip);
          if (problem === '') return { ip };
          if (problem !== alreadyAllocatedText) return { problem };
        }
      }
      return { problem: rangeFullText };

      function freeIn(one: string): string | undefined {
        const number = pickFreeNumber(
          parseAllocationRange(one),
          random,
          (free) => !isTaken(formatIp(free)) && !tried.has(formatIp(free)),
        );
        return number === undefined ? undefined : formatIp(number);
      }
    },
    take: async (ip) => {
      if (dryRun || !hasIpAddresses) {
        if (range === undefined) return { problem: allocatorNotReadyText };
        if (!isHostInRange(range, ip)) return { problem: formatNotInRange(ip, range) };
        if (dryRun) return { ip };
      }
      if (!ranges.some((candidate) => isHostInRange(candidate, ip))) return { problem: mismatchedNetworkText };
      const problem = own.has(ip) ? alreadyAllocatedText : await create(ip);
      return problem === '' ? { ip } : { problem };
    },
  };
}

/** Failed deletions are left to the repair controller. */
export async function releaseClusterIps(ips: readonly string[], { api, hasIpAddresses }: BeginPorts): Promise<void> {
  if (!hasIpAddresses) return;
  for (const ip of ips) await api({ method: 'DELETE', path: `${ipAddressesPath}/${ip}` });
}

export const isRangeFull = (problem: string): boolean => problem === rangeFullText;

export const primaryRange = (ranges: string): string => ranges.split(',')[0] ?? '';

async function createAddress(api: LoopbackClient, ip: string, service: KubernetesObject): Promise<string> {
  const created = await api({ method: 'POST', path: ipAddressesPath, body: createAddressObject(ip, service) });
  if (created.ok) return '';
  return created.status.reason === 'AlreadyExists' ? alreadyAllocatedText : (created.status.message ?? '');
}

export function createAddressObject(ip: string, service: KubernetesObject): KubernetesObject & JsonObject {
  const { namespace = '', name = '' } = metadataOf(service);
  return {
    kind: 'IPAddress',
    apiVersion: 'networking.k8s.io/v1',
    metadata: {
      name: ip,
      labels: {
        'ipaddress.kubernetes.io/ip-family': 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
    },
    spec: { parentRef: { resource: 'services', namespace, name } },
  };
}

/** The IPv4 ranges of a ready ServiceCIDR. */
function readReadyRanges(object: KubernetesObject): readonly string[] {
  const conditions = asList(asObject(object['status'])['conditions']).map(asObject);
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  if (!isReady || metadataOf(object).deletionTimestamp !== undefined) return [];
  return asList(asObject(object['spec'])['cidrs'])
    .map(asString)
    .filter((range) => !range.includes(':'));
}

export function listClusterIps(service: KubernetesObject): readonly string[] {
  const { type, clusterIPs } = asObject(service['spec']);
  if (type === 'ExternalName') return [];
  return asList(clusterIPs)
    .map(asString)
    .filter((ip) => ip !== '' && ip !== 'None');
}
