import type { WorldRequest } from '../world.ts';
import type { Backend } from './backends.ts';
import {
  bootstrapper,
  controller,
  controllerManager,
  deploymentsPath,
  kubelet,
  leasesPath,
  mergePatch,
  podsPath,
  post,
  sampleBinding,
  sampleCertificateRequest,
  sampleDeployment,
  sampleEndpointSlice,
  sampleLease,
  sampleName,
  sampleNode,
  sampleNodeObject,
  samplePod,
  scheduler,
} from './sample-objects.ts';

/** A write that happens in any cluster, many times a day or when it starts. */
export interface EverydayWrite {
  /** `create a Pod in shop`. */
  readonly title: string;
  readonly request: WorldRequest;
  /** Which backends cannot come back without it; 'all': everything that runs on a node. */
  readonly neededBy: 'all' | 'none' | readonly string[];
  /** What it writes, for the advice: `nodes`, and its namespace, '' for a cluster-scoped object. */
  readonly resource: string;
  readonly namespace: string;
}

/** What has to be there before the writes, stored before any webhook is: a node, its heartbeat, Pods, Deployments. */
export const preparations = (namespaces: readonly string[]): readonly WorldRequest[] => [
  post('/api/v1/nodes', sampleNodeObject(sampleNode)),
  ...['kube-node-lease', 'kube-system'].map((namespace) => post(leasesPath(namespace), sampleLease(namespace))),
  ...namespaces.flatMap((namespace) => [
    post(podsPath(namespace), samplePod(namespace, sampleName)),
    post(deploymentsPath(namespace), sampleDeployment(namespace, sampleName)),
  ]),
];

/** The writes, those of the cluster first, then those of each backend, then those of each namespace. */
export const everydayWrites = (
  namespaces: readonly string[],
  backends: readonly Backend[],
): readonly EverydayWrite[] => [
  ...clusterWrites(),
  ...backends.flatMap(backendWrites),
  ...namespaces.flatMap(namespaceWrites),
];

function clusterWrites(): readonly EverydayWrite[] {
  const newNode = `${sampleNode}-2`;
  const renewed = { spec: { leaseDurationSeconds: 40 } };
  const write = (
    title: string,
    [resource, namespace]: readonly [string, string],
    request: WorldRequest,
  ): EverydayWrite => ({
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

function backendWrites({ name, namespace, pod }: Backend): readonly EverydayWrite[] {
  if (namespace === undefined) return [];
  const own = `${name.replace('/', '-')}-drill`;
  const pods = podsPath(namespace);
  const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  const write = (what: string, request: WorldRequest, resource = 'pods'): EverydayWrite => ({
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

function namespaceWrites(namespace: string): readonly EverydayWrite[] {
  const another = `${sampleName}-new`;
  const deployments = deploymentsPath(namespace);
  const write = (what: string, resource: string, request: WorldRequest): EverydayWrite => ({
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
