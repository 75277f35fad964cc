import type { ClusterView } from '../machinery/meta/cluster-view.ts';
import type { GroupResource } from '../machinery/meta/gvk.ts';
import { semanticEqual } from '../machinery/meta/semantic-equal.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../machinery/meta/object.ts';
import type { NewUid } from '../machinery/clock.ts';
import { formatTime } from '../machinery/meta/time.ts';
import { createAddressObject } from '../api/strategy/cluster-ips.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import type { ServiceCIDR } from '../api/types/generated/networking-v1.ts';
import { isIPv4, isIPv6 } from '../machinery/go/ip-address.ts';

/** An object that exists before the first request. */
export interface Seed {
  readonly resource: GroupResource;
  readonly object: KubernetesObject;
}

interface SeedPorts {
  readonly newUid: NewUid;
  /** In ms since 1970. */
  readonly now: number;
  /** Objects that exist here are not created. */
  readonly known?: Pick<ClusterView, 'get'>;
}

/** Creates missing seeds without admission, as a starting API server does. */
export async function seedObjects(
  storage: Pick<Storage, 'create'>,
  seeds: readonly Seed[],
  { newUid, now, known }: SeedPorts,
): Promise<void> {
  const creationTimestamp = formatTime(now);
  // In parallel, to wait for disk or network once. Memory keeps the order.
  await Promise.all(
    seeds.map(async ({ resource, object }) => {
      const { namespace = '', name = '' } = metadataOf(object);
      if (known?.get(resource, namespace, name)) return;
      await storage.create({ resource, namespace, name }, withMetadata(object, { uid: newUid(), creationTimestamp }));
    }),
  );
}

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const namespaceSeed = (name: string): Seed => ({
  resource: { group: '', resource: 'namespaces' },
  object: {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  },
});

/** Creates the seed, or updates all but its metadata and status: an earlier process may have listened elsewhere. */
export async function renewSeed(
  storage: Pick<Storage, 'create' | 'read' | 'update'>,
  seed: Seed,
  ports: { readonly newUid: NewUid; readonly now: number },
): Promise<void> {
  await seedObjects(storage, [seed], ports);
  const { namespace = '', name = '' } = metadataOf(seed.object);
  const key = { resource: seed.resource, namespace, name };
  const stored = await storage.read(key);
  const { metadata: _seeded, status: _status, ...desired } = seed.object;
  if (!stored || semanticEqual({ ...stored.object, ...desired }, stored.object)) return;
  await storage.update(key, { ...stored.object, ...desired }, stored.revision);
}

/** The server's own Service, with the first address of the service range. */
export const kubernetesService = (clusterIP: string, targetPort: number): Seed => ({
  resource: { group: '', resource: 'services' },
  object: {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort }],
      clusterIP,
      clusterIPs: [clusterIP],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  },
});

/** The service range with its Ready condition. `now` in RFC 3339. */
export const serviceRange = (range: string, now: string): ServiceCIDR => ({
  kind: 'ServiceCIDR',
  apiVersion: 'networking.k8s.io/v1',
  metadata: { name: 'kubernetes' },
  spec: { cidrs: range.split(',') },
  status: {
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        lastTransitionTime: now,
        reason: '',
        message: 'Kubernetes default Service CIDR is ready',
      },
    ],
  },
});

/** That range, and the IPAddress of the Service `kubernetes`. `now` in RFC 3339. */
export const serviceAddressSeeds = (range: string, clusterIP: string, now: string): readonly Seed[] => [
  { resource: { group: 'networking.k8s.io', resource: 'servicecidrs' }, object: serviceRange(range, now) },
  {
    resource: { group: 'networking.k8s.io', resource: 'ipaddresses' },
    object: createAddressObject(clusterIP, kubernetesService(clusterIP, 0).object),
  },
];

const priorityClass = (name: string, value: number, description: string): Seed => ({
  resource: { group: 'scheduling.k8s.io', resource: 'priorityclasses' },
  object: {
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    metadata: { name, generation: 1 },
    value,
    description,
    preemptionPolicy: 'PreemptLowerPriority',
  },
});

export const rbacSeeds = (objects: readonly KubernetesObject[]): readonly Seed[] =>
  objects.map((object) => ({
    resource: { group: 'rbac.authorization.k8s.io', resource: `${object.kind.toLowerCase()}s` },
    object,
  }));

/** The namespaces and system PriorityClasses of a new server. */
export const clusterSeeds: readonly Seed[] = [
  ...namespaces.map(namespaceSeed),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
  priorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
];

/** Grants nodes `system:node`, which upstream's Node authorizer does. Only for servers with simulated nodes. */
export const nodesBinding: Seed = {
  resource: { group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' },
  object: {
    kind: 'ClusterRoleBinding',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: { name: 'kadmit:nodes' },
    subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:nodes' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node' },
  },
};

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
      metadata: { ...kubernetesName, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: address }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
    },
  },
  {
    resource: { group: 'discovery.k8s.io', resource: 'endpointslices' },
    object: {
      kind: 'EndpointSlice',
      apiVersion: 'discovery.k8s.io/v1',
      metadata: { ...kubernetesName, generation: 1, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: 'https', protocol: 'TCP', port }],
    },
  },
];

const kubernetesName = { name: 'kubernetes', namespace: 'default' } as const;
