import type { JsonObject } from '../../../machinery/json/json.ts';
import type { WorldRequest, WorldUser } from '../world.ts';
import type { OutageBackend } from './backends.ts';

/** A write that every cluster makes daily or when it starts. */
export interface StandardWrite {
  /** `create a Pod in shop`. */
  readonly title: string;
  readonly request: WorldRequest;
  /** Backends that need it to recover; 'all': every backend that runs on a node. */
  readonly neededBy: 'all' | 'none' | readonly string[];
  /** For the advice; '' namespace for a cluster-scoped object. */
  readonly resource: string;
  readonly namespace: string;
}

/** Objects stored before any webhook: a node, its leases, Pods, Deployments. */
export const preparations = (namespaces: readonly string[]): readonly WorldRequest[] => [
  post('/api/v1/nodes', sampleNodeObject(sampleNode)),
  ...['kube-node-lease', 'kube-system'].map((namespace) => post(leasesPath(namespace), sampleLease(namespace))),
  ...namespaces.flatMap((namespace) => [
    post(podsPath(namespace), samplePod(namespace, sampleName)),
    post(deploymentsPath(namespace), sampleDeployment(namespace, sampleName)),
  ]),
];

/** Writes of the cluster, then of each backend, then of each namespace. */
export const standardWrites = (
  namespaces: readonly string[],
  backends: readonly OutageBackend[],
): readonly StandardWrite[] => [
  ...clusterWrites(),
  ...backends.flatMap(backendWrites),
  ...namespaces.flatMap(namespaceWrites),
];

function clusterWrites(): readonly StandardWrite[] {
  const newNode = `${sampleNode}-2`;
  const renewed = { spec: { leaseDurationSeconds: 40 } };
  const write = (
    title: string,
    [resource, namespace]: readonly [string, string],
    request: WorldRequest,
  ): StandardWrite => ({
    title,
    request,
    neededBy: 'all',
    resource,
    namespace,
  });
  const lease = (namespace: string): string => `${leasesPath(namespace)}/${sampleName}`;
  return [
    write('register a Node', ['nodes', ''], post('/api/v1/nodes', sampleNodeObject(newNode), kubelet(newNode))),
    write(
      'report the status of a Node',
      ['nodes', ''],
      mergePatch(`/api/v1/nodes/${sampleNode}/status`, { status: { phase: 'Running' } }, kubelet(sampleNode)),
    ),
    write(
      'renew the Lease of a Node in kube-node-lease',
      ['leases', 'kube-node-lease'],
      mergePatch(lease('kube-node-lease'), renewed, kubelet(sampleNode)),
    ),
    write(
      'renew the Lease of the controller manager in kube-system',
      ['leases', 'kube-system'],
      mergePatch(lease('kube-system'), renewed, controllerManager),
    ),
    write(
      'request a certificate for a kubelet',
      ['certificatesigningrequests', ''],
      post('/apis/certificates.k8s.io/v1/certificatesigningrequests', sampleCertificateRequest(), bootstrapper),
    ),
  ];
}

function backendWrites({ name, namespace, pod }: OutageBackend): readonly StandardWrite[] {
  if (namespace === undefined) return [];
  const own = `${name.replace('/', '-')}-drill`;
  const pods = podsPath(namespace);
  const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  const write = (what: string, request: WorldRequest, resource = 'pods'): StandardWrite => ({
    title: what,
    request,
    neededBy: [name],
    resource,
    namespace,
  });
  return [
    write(`create a Pod of ${name}`, post(pods, samplePod(namespace, own, pod), controller('replicaset-controller'))),
    write(
      `bind a Pod of ${name} to a Node`,
      post(`${pods}/${sampleName}/binding`, sampleBinding(namespace), scheduler),
    ),
    write(
      `report the status of a Pod of ${name}`,
      mergePatch(`${pods}/${sampleName}/status`, { status: { phase: 'Running' } }, kubelet(sampleNode)),
    ),
    write(
      `publish the endpoints of ${name}`,
      post(slices, sampleEndpointSlice(namespace, own), controller('endpointslice-controller')),
      'endpointslices',
    ),
  ];
}

function namespaceWrites(namespace: string): readonly StandardWrite[] {
  const another = `${sampleName}-new`;
  const deployments = deploymentsPath(namespace);
  const write = (what: string, resource: string, request: WorldRequest): StandardWrite => ({
    title: `${what} in ${namespace}`,
    request,
    neededBy: 'none',
    resource,
    namespace,
  });
  return [
    write(
      'create a Pod',
      'pods',
      post(podsPath(namespace), samplePod(namespace, another), controller('replicaset-controller')),
    ),
    write('create a Deployment', 'deployments', post(deployments, sampleDeployment(namespace, another))),
    write(
      'scale a Deployment',
      'deployments',
      mergePatch(`${deployments}/${sampleName}/scale`, { spec: { replicas: 2 } }),
    ),
  ];
}

const sampleName = 'kadmit-outage';
const sampleNode = 'kadmit-outage-node';

const authenticated = 'system:authenticated';

/** Users of the cluster's own components. */
const kubelet = (node: string): WorldUser => ({
  username: `system:node:${node}`,
  groups: ['system:nodes', authenticated],
});
const controllerManager: WorldUser = { username: 'system:kube-controller-manager', groups: [authenticated] };
const scheduler: WorldUser = { username: 'system:kube-scheduler', groups: [authenticated] };
const bootstrapper: WorldUser = {
  username: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers', authenticated],
};
const controller = (name: string): WorldUser => ({
  username: `system:serviceaccount:kube-system:${name}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', authenticated],
});

const post = (path: string, body: JsonObject, as?: WorldUser): WorldRequest => ({
  method: 'POST',
  path,
  body,
  ...(as ? { as } : {}),
});

const mergePatch = (path: string, body: JsonObject, as?: WorldUser): WorldRequest => ({
  method: 'PATCH',
  path,
  body,
  contentType: 'application/merge-patch+json',
  ...(as ? { as } : {}),
});

const podsPath = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const deploymentsPath = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;
const leasesPath = (namespace: string): string => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

const spec: JsonObject = { containers: [{ name: 'app', image: 'registry.k8s.io/pause:3.10' }] };

const samplePod = (namespace: string, name: string, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...metadata, name, namespace },
  spec,
});

const sampleDeployment = (namespace: string, name: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: { selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec } },
});

const sampleLease = (namespace: string): JsonObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: sampleName, namespace },
  spec: { holderIdentity: sampleName },
});

const sampleNodeObject = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });

const sampleEndpointSlice = (namespace: string, name: string): JsonObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, namespace },
  addressType: 'IPv4',
  endpoints: [],
});

const sampleBinding = (namespace: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: sampleName, namespace },
  target: { apiVersion: 'v1', kind: 'Node', name: sampleNode },
});

const sampleCertificateRequest = (): JsonObject => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: sampleName },
  spec: {
    request: certificateRequest,
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['client auth'],
  },
});

/** CN=system:node:kadmit-outage-node, O=system:nodes; the key was discarded. PEM in base64. */
const certificateRequest = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIN01JR2lBZ0VBTUVBeEZUQVRCZ05WQkFvTURITjVjM1JsYlRw',
  'dWIyUmxjekVuTUNVR0ExVUVBd3dlYzNsegpkR1Z0T201dlpHVTZhMkZrYldsMExXOTFkR0ZuWlMxdWIyUmxNRmt3RXdZSEtvWkl6',
  'ajBDQVFZSUtvWkl6ajBECkFRY0RRZ0FFdzNoSGlhdjYxSXAxY1RFbU1Qa2lpVGYwa0ZpVW4ydkF6VFBYYmcyekxFdGhMRTRYcEEy',
  'Vi9QaWIKckowQ3pTT2t4Z0IvZkQvTFBEODRwNUJJWjh6K1FhQUFNQW9HQ0NxR1NNNDlCQU1DQTBnQU1FVUNJUUR1cXJhagpIakdy',
  'MEROSUQ0MmJYbjM4eURZeTZmc2FESkQrUHZkU2RKN2dkQUlnTUJwQzVBMXNoaXI4QURodFJVajl0ZWRwCkl1TUQ4YkxrRWZ3dW0z',
  'Lzhsdkk9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
].join('');
