import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

// What kube-apiserver v1.36.2 warned of, recorded beside it; each from the WarningsOnCreate or WarningsOnUpdate of its kind's strategy.
const namespace = '/namespaces/default';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const workload = { selector: { matchLabels: { a: 'b' } }, template };
const deprecatedNode = { ...template, spec: { ...template.spec, nodeSelector: { 'beta.kubernetes.io/os': 'x' } } };
const vast = { completions: 200_000, parallelism: 20_000, completionMode: 'Indexed', template: once };
const claim = {
  metadata: { name: 'v' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.5' } } },
};

const named =
  'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]';
const manyIndexes =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
const fraction = 'fractional byte value "1500m" is invalid, must be an integer';
const allRevisions =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
const mountable =
  'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
const tokens =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

const strange = '2001:DB8::1';
const notCanonical = (field: string): string =>
  `${field}: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")`;
const annotated = { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } };
const balancer = { status: { loadBalancer: { ingress: [{ hostname: 'x' }, { ip: strange }] } } };

interface Row {
  readonly name?: string;
  readonly metadata?: object;
  readonly content: object;
  readonly created: readonly string[];
  /** A merge patch, of a subresource where it begins with one. */
  readonly patch?: readonly [subresource: string, body: object];
  readonly patched?: readonly string[];
}

test.each<readonly [path: string, row: Row]>([
  [`/apis/apps/v1${namespace}/deployments`, { name: 'a.b', content: { spec: workload }, created: [named] }],
  [`/apis/apps/v1${namespace}/replicasets`, { name: 'a.b', content: { spec: workload }, created: [named] }],
  [`/apis/apps/v1${namespace}/daemonsets`, { name: 'a.b', content: { spec: workload }, created: [] }],
  [`/api/v1${namespace}/replicationcontrollers`, { name: 'a.b', content: { spec: { template } }, created: [named] }],
  [`/apis/batch/v1${namespace}/jobs`, { name: 'a.b', content: { spec: { template: once } }, created: [named] }],
  [
    `/apis/batch/v1${namespace}/jobs`,
    {
      content: { spec: vast },
      created: [`spec: ${manyIndexes}`],
      patch: ['', { spec: { suspend: true } }],
      patched: [`spec: ${manyIndexes}`],
    },
  ],
  [
    `/apis/batch/v1${namespace}/cronjobs`,
    {
      name: 'a.b',
      content: { spec: { schedule: '* * * * *', jobTemplate: { spec: vast } } },
      created: [named, `spec.jobTemplate.spec: ${manyIndexes}`],
      patch: ['', { metadata: { labels: { a: 'b' } } }],
      patched: [],
    },
  ],
  [
    `/apis/apps/v1${namespace}/statefulsets`,
    {
      content: { spec: { ...workload, volumeClaimTemplates: [claim], revisionHistoryLimit: -1 } },
      created: [`spec.volumeClaimTemplates[0].resources.requests[storage]: ${fraction}`, allRevisions],
      patch: ['', { metadata: { labels: { a: 'b' } } }],
      patched: [`spec.volumeClaimTemplates[0].Spec.resources.requests[storage]: ${fraction}`, allRevisions],
    },
  ],
  [
    `/api/v1${namespace}/podtemplates`,
    {
      content: { template: deprecatedNode },
      created: [
        'template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      ],
      patch: ['', { metadata: { labels: { a: 'b' } } }],
      patched: [],
    },
  ],
  [
    `/api/v1${namespace}/serviceaccounts`,
    { metadata: annotated, content: {}, created: [mountable], patch: ['', { secrets: [] }], patched: [] },
  ],
  [
    `/api/v1${namespace}/serviceaccounts`,
    { content: {}, created: [], patch: ['', { metadata: annotated }], patched: [mountable] },
  ],
  [
    '/apis/storage.k8s.io/v1/csidrivers',
    {
      content: { spec: { tokenRequests: [{ audience: 'a' }] } },
      created: [tokens],
      patch: ['', { spec: { tokenRequests: [{ audience: 'b' }] } }],
      patched: [tokens],
    },
  ],
  [
    '/apis/storage.k8s.io/v1/csidrivers',
    {
      content: { spec: { tokenRequests: [{ audience: 'a' }] } },
      created: [tokens],
      patch: ['', { metadata: { labels: { a: 'b' } } }],
      patched: [],
    },
  ],
  [
    `/api/v1${namespace}/services`,
    {
      content: { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } },
      created: [],
      patch: ['/status', balancer],
      patched: [notCanonical('status.loadBalancer.ingress[1]')],
    },
  ],
  [
    `/apis/networking.k8s.io/v1${namespace}/ingresses`,
    {
      content: { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
      created: [],
      patch: ['/status', balancer],
      patched: [notCanonical('status.loadBalancer.ingress[1]')],
    },
  ],
  [
    `/api/v1${namespace}/pods`,
    {
      content: { spec: template.spec },
      created: [],
      patch: [
        '/status',
        { status: { podIP: strange, podIPs: [{ ip: strange }], hostIP: strange, hostIPs: [{ ip: strange }] } },
      ],
      patched: [notCanonical('status.podIPs[0].ip'), notCanonical('status.hostIPs[0].ip')],
    },
  ],
])('%s: %j', async (path, { name = 'x', metadata, content, created, patch, patched }) => {
  const world = await createTestWorld();
  await world.send('POST', `/api/v1${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  const made = await world.send('POST', path, { metadata: { name, ...metadata }, ...content });
  expect([made.code, made.warnings]).toEqual([201, created]);
  if (!patch) return;
  const [subresource, body] = patch;
  const changed = await world.send('PATCH', `${path}/${name}${subresource}`, body);
  expect([changed.code, changed.warnings]).toEqual([200, patched]);
});

// Source: kubernetes pkg/registry/scheduling/priorityclass/storage; recorded beside kube-apiserver v1.36.2.
test.each([
  ['/system-node-critical', 403],
  ['/system-cluster-critical', 403],
  ['?fieldSelector=metadata.name%3Dsystem-node-critical', 200],
  ['/nothing-critical', 404],
])('DELETE of priorityclasses%s: %i', async (which, code) => {
  const world = await createTestWorld();
  const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
  for (const name of ['system-node-critical', 'system-cluster-critical']) {
    await world.send('POST', path, { metadata: { name }, value: 2_000_000_000 });
  }
  expect((await world.send('DELETE', path + which)).code).toBe(code);
});
