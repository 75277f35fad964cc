import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseApiVersion } from '../../../../src/machinery/meta/gvk.ts';
import { isJsonObject, type JsonObject } from '../../../../src/machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject, withMetadata } from '../../../../src/machinery/meta/object.ts';
import { applyDefaults as defaultsOfAnyRelease } from '../../../../src/api/codec/defaults/apply-defaults.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';

const { applyDefaults } = recordedRelease.codec;

interface Vector {
  readonly case: string;
  readonly sent: KubernetesObject;
  readonly atMutatingWebhook?: KubernetesObject;
  readonly response?: KubernetesObject;
}
const { cases }: { readonly cases: readonly Vector[] } = JSON.parse(
  readFileSync('test/facts/vectors/defaulting.json', 'utf8'),
);

// Objects that compiled-in plugins change too are the matter of test/apiserver/admission/plugins; custom resources of test/schema/crd.
const changedByPlugins = ['Pod', 'PersistentVolumeClaim', 'PersistentVolume', 'VolumeAttributesClass', 'Node', 'Foo'];
const isStatic = ({ sent, response }: Vector): boolean =>
  !changedByPlugins.includes(sent.kind) && sent.kind !== 'SubjectAccessReview' && response === undefined;

// Source: test/facts/vectors/defaulting.json; the namespace comes from the URL.
test.each(cases.filter(isStatic).map((vector) => [vector.case, vector] as const))(
  '%s reaches a mutating webhook with these defaults, in this order',
  (_name, { sent, atMutatingWebhook }) => {
    const defaulted = applyDefaults(decoded(sent));
    const namespace = atMutatingWebhook?.metadata?.namespace;
    expect(JSON.stringify(withMetadata(defaulted, { namespace }), null, 1)).toBe(
      JSON.stringify(atMutatingWebhook, null, 1),
    );
  },
);

// Source: the same; webhooks never see these, so the response is compared, without what storing adds.
const configurations = cases.filter(
  ({ response, sent }) => response !== undefined && sent.kind !== 'SubjectAccessReview',
);
test.each(configurations.map((vector) => [vector.case, vector] as const))(
  '%s is stored with these defaults, in this order',
  (_name, { sent, response }) => {
    const { status: _status, ...stored } = response ?? sent;
    const { status: _unset, ...defaulted } = applyDefaults(decoded(sent));
    expect(JSON.stringify({ ...defaulted, metadata: {} }, null, 1)).toBe(
      JSON.stringify({ ...stored, metadata: {} }, null, 1),
    );
  },
);

test.each(cases.filter(({ sent }) => sent.kind !== 'Foo').map((vector) => [vector.case, vector] as const))(
  '%s is left alone once it has its defaults',
  (_name, { sent }) => {
    const once = applyDefaults(decoded(sent));
    expect(applyDefaults(once)).toBe(once);
  },
);

const pod = (spec: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
const container = (fields: JsonObject): JsonObject => ({ name: 'c', image: 'a:1', ...fields });
const withImage = (image: string): JsonObject => pod({ containers: [{ name: 'c', image }] });
const digest = `sha256:${'0'.repeat(64)}`;
const pullPolicy = ['spec', 'containers', '0', 'imagePullPolicy'];

// Source: kubernetes pkg/apis/core/v1/defaults_test.go, pkg/apis/apps/v1/defaults_test.go, pkg/apis/batch/v1/defaults_test.go
const facts: readonly [fact: string, sent: JsonObject, path: readonly string[], value: unknown][] = [
  ['an image without a tag is always pulled', withImage('nginx'), pullPolicy, 'Always'],
  ['an image tagged latest is always pulled', withImage('host:5000/a/b:latest'), pullPolicy, 'Always'],
  ['a registry port is no tag', withImage('localhost:5000/nginx'), pullPolicy, 'Always'],
  ['an image with another tag is pulled if absent', withImage('nginx:1.2'), pullPolicy, 'IfNotPresent'],
  ['an image with only a digest is pulled if absent', withImage(`nginx@${digest}`), pullPolicy, 'IfNotPresent'],
  ['latest counts beside a digest', withImage(`nginx:latest@${digest}`), pullPolicy, 'Always'],
  ['an image that cannot be parsed is pulled if absent', withImage('NGINX'), pullPolicy, 'IfNotPresent'],
  [
    'requests finer than a thousandth are rounded up',
    pod({ containers: [container({ resources: { limits: { cpu: '1500u' } } })] }),
    ['spec', 'containers', '0', 'resources'],
    { limits: { cpu: '2m' }, requests: { cpu: '2m' } },
  ],
  [
    'pod-level requests are the sum of the containers, or the largest init container',
    pod({
      resources: { limits: { cpu: '8', memory: '1Gi', 'hugepages-2Mi': '2Mi' } },
      containers: [
        container({ resources: { requests: { cpu: '500m' } } }),
        container({ name: 'd', resources: { requests: { cpu: '750m' } } }),
      ],
      initContainers: [
        container({ name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }),
        container({ name: 'i', resources: { requests: { cpu: '2' } } }),
      ],
    }),
    ['spec', 'resources', 'requests'],
    { cpu: '3', 'hugepages-2Mi': '2Mi', memory: '1Gi' },
  ],
  [
    'pod-level huge page limits are those of the containers',
    pod({
      resources: { limits: { cpu: '8' } },
      containers: [container({ resources: { limits: { 'hugepages-2Mi': '4Mi' } } })],
    }),
    ['spec', 'resources', 'limits'],
    { cpu: '8', 'hugepages-2Mi': '4Mi' },
  ],
  [
    'annotations of old init containers are dropped',
    { apiVersion: 'v1', kind: 'Pod', metadata: { annotations: { 'pod.beta.kubernetes.io/init-containers': '[]' } } },
    ['metadata', 'annotations'],
    undefined,
  ],
  [
    'a rolling StatefulSet that names its type gets no partition',
    { apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { updateStrategy: { type: 'RollingUpdate' } } },
    ['spec', 'updateStrategy'],
    { type: 'RollingUpdate' },
  ],
  [
    'a DaemonSet updated on delete gets no rolling update',
    { apiVersion: 'apps/v1', kind: 'DaemonSet', spec: { updateStrategy: { type: 'OnDelete' } } },
    ['spec', 'updateStrategy'],
    { type: 'OnDelete' },
  ],
  [
    'a Job with completions runs one pod at a time',
    { apiVersion: 'batch/v1', kind: 'Job', spec: { completions: 3 } },
    ['spec', 'parallelism'],
    1,
  ],
  [
    'a Job with only parallelism is a work queue',
    { apiVersion: 'batch/v1', kind: 'Job', spec: { parallelism: 3 } },
    ['spec', 'completions'],
    undefined,
  ],
  [
    'a Job takes the labels of its template',
    { apiVersion: 'batch/v1', kind: 'Job', spec: { template: { metadata: { labels: { a: 'b' } } } } },
    ['metadata', 'labels'],
    { a: 'b' },
  ],
  [
    'a Service with external IPs has an external traffic policy',
    { apiVersion: 'v1', kind: 'Service', spec: { externalIPs: ['1.2.3.4'] } },
    ['spec', 'externalTrafficPolicy'],
    'Cluster',
  ],
  [
    'affinity settings of a Service without affinity are dropped',
    { apiVersion: 'v1', kind: 'Service', spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } } },
    ['spec', 'sessionAffinityConfig'],
    undefined,
  ],
  [
    'stringData overwrites data',
    { apiVersion: 'v1', kind: 'Secret', data: { a: 'eA==', b: 'eA==' }, stringData: { a: 'ä' } },
    ['data'],
    { a: 'w6Q=', b: 'eA==' },
  ],
  [
    'a container limit without max takes its default request from the default',
    { apiVersion: 'v1', kind: 'LimitRange', spec: { limits: [{ type: 'Container', default: { cpu: '2' } }] } },
    ['spec', 'limits', '0', 'defaultRequest'],
    { cpu: '2' },
  ],
  [
    'allocatable is the capacity',
    { apiVersion: 'v1', kind: 'Node', status: { capacity: { cpu: '2' } } },
    ['status', 'allocatable'],
    { cpu: '2' },
  ],
  [
    'podCIDR is authoritative',
    { apiVersion: 'v1', kind: 'Node', spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
    ['spec', 'podCIDRs'],
    ['10.0.0.0/24'],
  ],
  [
    'every load balancer address is virtual',
    {
      apiVersion: 'v1',
      kind: 'Service',
      spec: { type: 'LoadBalancer' },
      status: { loadBalancer: { ingress: [{ ip: '1.1.1.1' }, { hostname: 'a' }] } },
    },
    ['status', 'loadBalancer', 'ingress'],
    [{ ip: '1.1.1.1', ipMode: 'VIP' }, { hostname: 'a' }],
  ],
];

test.each(facts)('%s', (_fact, sent, path, value) => {
  expect(path.reduce(step, applyDefaults(decoded(sent)))).toEqual(value);
});

test('a kind without defaults is the same object', () => {
  const configMap: KubernetesObject = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c' } };
  expect(applyDefaults(configMap)).toBe(configMap);
});

function step(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value[Number(field)];
  return isJsonObject(value) ? value[field] : undefined;
}

function decoded(sent: JsonObject): KubernetesObject {
  const { kind, apiVersion } = asKubernetesObject(sent) ?? { kind: '', apiVersion: '' };
  const reading = recordedRelease.codec.decodeValue(sent, { ...parseApiVersion(apiVersion), kind });
  if (reading.outcome !== 'decoded') throw new Error(reading.error);
  return reading.object;
}

// Source: kubernetes v1.32.0 pkg/apis/admissionregistration/v1beta1/defaults.go; a kind that was served until 1.33.
test.each([
  ['ValidatingAdmissionPolicy', (match: object) => ({ failurePolicy: 'Fail', matchConstraints: match })],
  ['ValidatingAdmissionPolicyBinding', (match: object) => ({ matchResources: match })],
])('%s of v1beta1 has the defaults of its day', (kind, specWith) => {
  const [field] = Object.keys(specWith({})).slice(-1);
  const sent = { apiVersion: 'admissionregistration.k8s.io/v1beta1', kind, spec: { [field ?? '']: {} } };
  const match = { namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Equivalent' };
  expect(defaultsOfAnyRelease(sent)).toEqual({ ...sent, spec: specWith(match) });
});
