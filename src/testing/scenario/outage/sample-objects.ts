import type { JsonObject } from '../../../machinery/json/json.ts';
import type { WorldRequest, WorldUser } from '../world.ts';

/** What the objects of a drill are called. */
export const sampleName = 'kadmit-outage';
export const sampleNode = 'kadmit-outage-node';

const authenticated = 'system:authenticated';

/** Who writes in a cluster by itself. */
export const kubelet = (node: string): WorldUser => ({
  username: `system:node:${node}`,
  groups: ['system:nodes', authenticated],
});
export const controllerManager: WorldUser = { username: 'system:kube-controller-manager', groups: [authenticated] };
export const scheduler: WorldUser = { username: 'system:kube-scheduler', groups: [authenticated] };
export const bootstrapper: WorldUser = {
  username: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers', authenticated],
};
export const controller = (name: string): WorldUser => ({
  username: `system:serviceaccount:kube-system:${name}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', authenticated],
});

export const post = (path: string, body: JsonObject, as?: WorldUser): WorldRequest => ({
  method: 'POST',
  path,
  body,
  ...(as ? { as } : {}),
});

export const mergePatch = (path: string, body: JsonObject, as?: WorldUser): WorldRequest => ({
  method: 'PATCH',
  path,
  body,
  contentType: 'application/merge-patch+json',
  ...(as ? { as } : {}),
});

export const podsPath = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
export const deploymentsPath = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;
export const leasesPath = (namespace: string): string => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

const spec: JsonObject = { containers: [{ name: 'app', image: 'registry.k8s.io/pause:3.10' }] };

export const samplePod = (namespace: string, name: string, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...metadata, name, namespace },
  spec,
});

export const sampleDeployment = (namespace: string, name: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: { selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec } },
});

export const sampleLease = (namespace: string): JsonObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: sampleName, namespace },
  spec: { holderIdentity: sampleName },
});

export const sampleNodeObject = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });

export const sampleEndpointSlice = (namespace: string, name: string): JsonObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, namespace },
  addressType: 'IPv4',
  endpoints: [],
});

export const sampleBinding = (namespace: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: sampleName, namespace },
  target: { apiVersion: 'v1', kind: 'Node', name: sampleNode },
});

export const sampleCertificateRequest = (): JsonObject => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: sampleName },
  spec: {
    request: certificateRequest,
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['client auth'],
  },
});

/** For CN=system:node:kadmit-outage-node, O=system:nodes; nobody has the key. PEM in base64, as the API wants it. */
const certificateRequest = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIN01JR2lBZ0VBTUVBeEZUQVRCZ05WQkFvTURITjVjM1JsYlRw',
  'dWIyUmxjekVuTUNVR0ExVUVBd3dlYzNsegpkR1Z0T201dlpHVTZhMkZrYldsMExXOTFkR0ZuWlMxdWIyUmxNRmt3RXdZSEtvWkl6',
  'ajBDQVFZSUtvWkl6ajBECkFRY0RRZ0FFdzNoSGlhdjYxSXAxY1RFbU1Qa2lpVGYwa0ZpVW4ydkF6VFBYYmcyekxFdGhMRTRYcEEy',
  'Vi9QaWIKckowQ3pTT2t4Z0IvZkQvTFBEODRwNUJJWjh6K1FhQUFNQW9HQ0NxR1NNNDlCQU1DQTBnQU1FVUNJUUR1cXJhagpIakdy',
  'MEROSUQ0MmJYbjM4eURZeTZmc2FESkQrUHZkU2RKN2dkQUlnTUJwQzVBMXNoaXI4QURodFJVajl0ZWRwCkl1TUQ4YkxrRWZ3dW0z',
  'Lzhsdkk9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
].join('');
