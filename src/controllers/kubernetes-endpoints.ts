import { isIPv4, isIPv6 } from '../machinery/go/ip-address.ts';
import type { Seed } from './seed-objects.ts';

export interface OwnAddress {
  readonly address: string;
  readonly internal: boolean;
}

/**
 * The address of a server that listens on `bound`: that one, unless it is a wildcard or loopback; else the first
 * external address of the machine, if any. Follows apimachinery pkg/util/net/interface.go ResolveBindAddress.
 */
export function advertisedAddress(bound: string, own: readonly OwnAddress[]): string | undefined {
  if (isIPv4(bound) && bound !== '0.0.0.0' && !bound.startsWith('127.')) return bound;
  if (isIPv6(bound) && bound !== '::' && bound !== '::1') return undefined; // The Service is of IPv4.
  return own.find(({ address, internal }) => !internal && isIPv4(address) && !address.startsWith('169.254.'))?.address;
}

/**
 * The endpoints of the server's own Service. Follows kubernetes pkg/controlplane/reconcilers/endpointsadapter.go; the
 * port has the name that the Service gives it.
 */
export const kubernetesEndpoints = (address: string, port: number): readonly Seed[] => [
  {
    resource: { group: '', resource: 'endpoints' },
    object: {
      kind: 'Endpoints',
      apiVersion: 'v1',
      metadata: { ...named, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: address }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
    },
  },
  {
    resource: { group: 'discovery.k8s.io', resource: 'endpointslices' },
    object: {
      kind: 'EndpointSlice',
      apiVersion: 'discovery.k8s.io/v1',
      metadata: { ...named, generation: 1, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: 'https', protocol: 'TCP', port }],
    },
  },
];

const named = { name: 'kubernetes', namespace: 'default' } as const;
