import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

const base = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const container = { name: 'c', image: 'i' };
const size = { requests: { storage: '1Gi' } };

async function worldWithAccount(): Promise<TestWorld> {
  const world = await createTestWorld();
  await world.send('POST', `${base}/serviceaccounts`, { metadata: { name: 'default' } });
  return world;
}

const workload = (kind: string, labels: unknown, more: object = {}) => ({
  metadata: { name: 'w' },
  spec: {
    selector: kind === 'rc' ? { a: 'b' } : { matchLabels: { a: 'b' } },
    template: { metadata: { labels }, spec: { containers: [container], ...more } },
  },
});

const hpa = (behavior: object) => ({
  metadata: { name: 'h' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3, behavior },
});

const service = (more: object) => ({ metadata: { name: 's' }, spec: { ports: [{ port: 80 }], ...more } });

// Source: answers of kube-apiserver v1.36.2.
test.each<[fact: string, path: string, body: object, message: string]>([
  [
    'scaleUp without policies',
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    hpa({ scaleUp: { policies: [] } }),
    'HorizontalPodAutoscaler.autoscaling "h" is invalid: spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
  ],
  [
    'scaleDown without policies',
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    hpa({ scaleDown: { policies: [] } }),
    'HorizontalPodAutoscaler.autoscaling "h" is invalid: spec.behavior.scaleDown.policies: Required value: must specify at least one Policy',
  ],
  [
    'an Ingress with an empty list of rules',
    '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    { metadata: { name: 'i' }, spec: { rules: [] } },
    'Ingress.networking.k8s.io "i" is invalid: spec: Invalid value: []: either `defaultBackend` or `rules` must be specified',
  ],
  [
    'a Deployment whose template has an empty map of labels',
    `${apps}/deployments`,
    workload('deployment', {}),
    'Deployment.apps "w" is invalid: spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`',
  ],
  [
    'a Deployment whose selector has an empty map, printed with the tags of meta/v1,',
    `${apps}/deployments`,
    { metadata: { name: 'w' }, spec: { ...workload('deployment', { a: 'b' }).spec, selector: { matchLabels: {} } } },
    'Deployment.apps "w" is invalid: spec.selector: Invalid value: {}: empty selector is invalid for deployment',
  ],
  [
    'a DaemonSet whose template has an empty map of labels',
    `${apps}/daemonsets`,
    workload('daemonset', {}),
    'DaemonSet.apps "w" is invalid: spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`',
  ],
  [
    'a StatefulSet whose template has an empty map of labels',
    `${apps}/statefulsets`,
    workload('statefulset', {}),
    'StatefulSet.apps "w" is invalid: spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`',
  ],
  [
    'a ReplicationController whose template has an empty map of labels',
    `${base}/replicationcontrollers`,
    workload('rc', {}),
    'ReplicationController "w" is invalid: spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`',
  ],
  [
    'a Job whose template has an empty map of labels',
    '/apis/batch/v1/namespaces/default/jobs',
    {
      metadata: { name: 'w' },
      spec: {
        manualSelector: true,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: {} }, spec: { restartPolicy: 'Never', containers: [container] } },
      },
    },
    'Job.batch "w" is invalid: spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`',
  ],
  [
    'a PersistentVolume with an empty capacity',
    '/api/v1/persistentvolumes',
    { metadata: { name: 'p' }, spec: { capacity: {}, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } } },
    'PersistentVolume "p" is invalid: [spec.capacity: Required value, spec.capacity: Unsupported value: {}: supported values: "storage"]',
  ],
  [
    'a Pod with an empty overhead',
    `${base}/pods`,
    { metadata: { name: 'i' }, spec: { overhead: {}, containers: [container] } },
    'pods "i" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ],
  [
    'a Service with an empty ipFamilyPolicy',
    `${base}/services`,
    service({ ipFamilyPolicy: '' }),
    'Service "s" is invalid: spec.ipFamilyPolicy: Unsupported value: "": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
  ],
  [
    'a Service with an empty internalTrafficPolicy',
    `${base}/services`,
    service({ internalTrafficPolicy: '' }),
    'Service "s" is invalid: spec.internalTrafficPolicy: Unsupported value: "": supported values: "Cluster", "Local"',
  ],
  [
    'a Job with an empty completionMode',
    '/apis/batch/v1/namespaces/default/jobs',
    {
      metadata: { name: 'w' },
      spec: { completionMode: '', template: { spec: { restartPolicy: 'Never', containers: [container] } } },
    },
    'Job.batch "w" is invalid: spec.completionMode: Unsupported value: "": supported values: "NonIndexed", "Indexed"',
  ],
])('%s is refused', async (_fact, path, body, message) => {
  const world = await worldWithAccount();
  expect((await world.send('POST', path, body)).message).toBe(message);
});

// Source: answers of kube-apiserver v1.36.2 to updates: what differs is printed as Go has it.
interface Update {
  readonly path: string;
  readonly created: object;
  readonly updated: object;
}

test.each<[fact: string, update: Update, part: string]>([
  [
    'parameters of a StorageClass',
    {
      path: '/apis/storage.k8s.io/v1/storageclasses',
      created: { metadata: { name: 'x' }, provisioner: 'a.io/b', parameters: { a: 'b' } },
      updated: { metadata: { name: 'x' }, provisioner: 'a.io/b', parameters: {} },
    },
    'parameters: Invalid value: {}: field is immutable',
  ],
  [
    'access modes of a claim',
    {
      path: `${base}/persistentvolumeclaims`,
      created: { metadata: { name: 'x' }, spec: { accessModes: ['ReadWriteOnce'], resources: size } },
      updated: { metadata: { name: 'x' }, spec: { accessModes: [], resources: size } },
    },
    '"AccessModes": []',
  ],
  [
    'args of a Pod',
    {
      path: `${base}/pods`,
      created: { metadata: { name: 'x' }, spec: { containers: [{ ...container, args: ['a'] }] } },
      updated: { metadata: { name: 'x' }, spec: { containers: [{ ...container, args: [] }] } },
    },
    '"Args": []',
  ],
])('%s that become empty', async (_fact, { path, created, updated }, part) => {
  const world = await worldWithAccount();
  await world.send('POST', path, created);
  const answer = await world.send('PUT', `${path}/x`, updated);
  expect(answer.message).toContain(part);
});

// Source: kubernetes pkg/registry/admissionregistration/mutatingwebhookconfiguration/strategy.go, which uses
// reflect.DeepEqual: a generation for each write with an empty list, since storage gives back none.
test('the generation of a webhook configuration counts empty lists', async () => {
  const world = await createTestWorld();
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const created = await world.send('POST', path, { metadata: { name: 'c' }, webhooks: [] });
  const put = (resourceVersion: unknown, more: object = {}) =>
    world.send('PUT', `${path}/c`, { metadata: { name: 'c', resourceVersion }, ...more });
  const versions = [created];
  for (const more of [{ webhooks: [] }, { webhooks: [] }, {}]) {
    const { resourceVersion } = Object(versions.at(-1)?.body['metadata']);
    versions.push(await put(resourceVersion, more));
  }
  expect(versions.map(({ body }) => [Object(body['metadata']).generation, body['webhooks']])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
    [3, undefined],
  ]);
});
