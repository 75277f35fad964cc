import { expect, test } from 'vitest';
import { parseApiVersion } from '../../src/machinery/meta/gvk.ts';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../src/machinery/meta/object.ts';
import { convertObject } from '../../src/api/codec/create-codec.ts';
import { recordedRelease } from '../harness/recorded-release.ts';

const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
const autoscaler = (version: string, fields: JsonObject): KubernetesObject => ({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: `autoscaling/${version}`,
  metadata: { name: 'h' },
  ...fields,
});
const emptyV1 = { currentReplicas: 0, desiredReplicas: 0 };
const emptyV2 = { desiredReplicas: 0, currentMetrics: null };
const cpu = (averageUtilization: number): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const memory = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
};
const pods = {
  type: 'Pods',
  pods: {
    metric: { name: 'rps', selector: { matchLabels: { a: '<b>' } } },
    target: { type: 'AverageValue', averageValue: '5' },
  },
};
const behavior = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }],
  },
  scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
};
const coreEvent: KubernetesObject = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: 'e', namespace: 'n' },
  involvedObject: { kind: 'Pod', name: 'p' },
  reason: 'Started',
  message: 'it runs',
  source: { component: 'kubelet' },
  firstTimestamp: '2020-01-01T00:00:00Z',
  lastTimestamp: null,
  count: 2,
  type: 'Normal',
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};
const eventsEvent: KubernetesObject = {
  kind: 'Event',
  apiVersion: 'events.k8s.io/v1',
  metadata: { name: 'e', namespace: 'n' },
  eventTime: null,
  reason: 'Started',
  regarding: { kind: 'Pod', name: 'p' },
  note: 'it runs',
  type: 'Normal',
  deprecatedSource: { component: 'kubelet' },
  deprecatedFirstTimestamp: '2020-01-01T00:00:00Z',
  deprecatedLastTimestamp: null,
  deprecatedCount: 2,
};
const annotations = {
  'autoscaling.alpha.kubernetes.io/behavior':
    '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},' +
    '"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}',
  'autoscaling.alpha.kubernetes.io/metrics':
    '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}},' +
    String.raw`{"type":"Pods","pods":{"metricName":"rps","targetAverageValue":"5","selector":{"matchLabels":{"a":"\u003cb\u003e"}}}}]`,
};
const richV1 = autoscaler('v1', {
  metadata: { name: 'h', annotations: { a: 'b', ...annotations } },
  spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
  status: emptyV1,
});
const richV2 = autoscaler('v2', {
  metadata: { name: 'h', annotations: { a: 'b' } },
  spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, metrics: [memory, pods, cpu(50)], behavior },
  status: emptyV2,
});

// Source: kubernetes pkg/apis/autoscaling/v1/conversion.go, pkg/apis/events/v1/conversion.go and the recorded
// conversations rules-equivalent-mutated-in-other-version and rules-exact-preferred-over-equivalent
const facts: readonly [fact: string, from: KubernetesObject, to: KubernetesObject][] = [
  [
    'an autoscaler with a cpu target has one metric',
    autoscaler('v1', {
      spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 80 },
      status: emptyV1,
    }),
    autoscaler('v2', {
      spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, metrics: [cpu(80)] },
      status: emptyV2,
    }),
  ],
  [
    'an autoscaler with nothing said aims at 80 %',
    autoscaler('v1', { spec: { scaleTargetRef, maxReplicas: 3 }, status: emptyV1 }),
    autoscaler('v2', { spec: { scaleTargetRef, maxReplicas: 3, metrics: [cpu(80)] }, status: emptyV2 }),
  ],
  ['annotated metrics come before the cpu target, behavior is read back', richV1, richV2],
  ['metrics and behavior that v1 lacks are annotated', richV2, richV1],
  [
    'an annotation that is no JSON is dropped',
    autoscaler('v1', {
      metadata: { name: 'h', annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '[' } },
      spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 10 },
      status: emptyV1,
    }),
    autoscaler('v2', { spec: { scaleTargetRef, maxReplicas: 3, metrics: [cpu(10)] }, status: emptyV2 }),
  ],
  [
    'the status keeps its conditions and metrics in annotations',
    autoscaler('v2', {
      spec: { scaleTargetRef, maxReplicas: 3, metrics: [cpu(10)] },
      status: {
        currentReplicas: 2,
        desiredReplicas: 2,
        currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7 } } }],
        conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: null }],
      },
    }),
    autoscaler('v1', {
      metadata: {
        name: 'h',
        annotations: {
          'autoscaling.alpha.kubernetes.io/conditions':
            '[{"type":"AbleToScale","status":"True","lastTransitionTime":null}]',
          'autoscaling.alpha.kubernetes.io/current-metrics':
            '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":7,"currentAverageValue":"0"}}]',
        },
      },
      spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 10 },
      status: { currentReplicas: 2, desiredReplicas: 2, currentCPUUtilizationPercentage: 7 },
    }),
  ],
  ['a core Event in events.k8s.io', coreEvent, eventsEvent],
  ['an events.k8s.io Event in the core group', eventsEvent, coreEvent],
  [
    'versions of one group that have the same schema differ in apiVersion',
    { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', spec: {} },
    { kind: 'Lease', apiVersion: 'coordination.k8s.io/v2', spec: {} },
  ],
];

test.each(facts)('%s', (_fact, from, to) => {
  const converted = convertObject(from, { ...parseApiVersion(to.apiVersion), kind: to.kind });
  expect(converted).toEqual({ outcome: 'converted', object: to });
});

test('an object of the wanted version is the same object', () => {
  expect(convertObject(coreEvent, { group: '', version: 'v1', kind: 'Event' })).toEqual({
    outcome: 'converted',
    object: coreEvent,
  });
});

// Source: the recorded conversation crud-wrong-kind
test('kinds that have nothing in common are not converted', () => {
  const secret: KubernetesObject = { kind: 'Secret', apiVersion: 'v1' };
  expect(convertObject(secret, { group: '', version: 'v1', kind: 'ConfigMap' })).toEqual({
    outcome: 'inconvertible',
    error: 'converting (v1.Secret) to (core.ConfigMap): unknown conversion',
  });
});

const codec = recordedRelease.codec;
const group = 'resource.k8s.io';
const claim = (version: string, requests: readonly JsonObject[]): JsonObject => ({
  kind: 'ResourceClaim',
  apiVersion: `${group}/${version}`,
  spec: { devices: { requests } },
});
const toleration = { key: 'k', operator: 'Exists' };

// Source: kubernetes pkg/apis/resource/v1beta1/conversion.go and conversion_test.go
test.each<[fact: string, early: JsonObject, late: JsonObject]>([
  [
    'its own fields are the exact request',
    { name: 'r', deviceClassName: 'c', allocationMode: 'ExactCount', count: 2, tolerations: [toleration] },
    { name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 2, tolerations: [toleration] } },
  ],
  [
    'alternatives alone',
    { name: 'r', deviceClassName: '', firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
    { name: 'r', firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
  ],
])('a request of v1beta1: %s', (_fact, early, late) => {
  for (const version of ['v1', 'v1beta2']) {
    const kind = { group, kind: 'ResourceClaim' };
    expect(
      codec.convertNow(
        { ...claim('v1beta1', [early]), kind: kind.kind, apiVersion: `${group}/v1beta1` },
        { ...kind, version },
      ),
    ).toEqual({
      outcome: 'converted',
      object: claim(version, [late]),
    });
    expect(
      codec.convertNow(
        { ...claim(version, [late]), kind: kind.kind, apiVersion: `${group}/${version}` },
        { ...kind, version: 'v1beta1' },
      ),
    ).toEqual({
      outcome: 'converted',
      object: claim('v1beta1', [early]),
    });
  }
});

test('a device of v1beta1 keeps all but its name in basic', () => {
  const slice = (apiVersion: string, device: JsonObject) => ({
    kind: 'ResourceSlice',
    apiVersion,
    spec: { devices: [device] },
  });
  const [early, late] = [
    { name: 'd', basic: { capacity: {} } },
    { name: 'd', capacity: {} },
  ];
  const kind = { group, kind: 'ResourceSlice' };
  expect(codec.convertNow(slice(`${group}/v1beta1`, early), { ...kind, version: 'v1' })).toEqual({
    outcome: 'converted',
    object: slice(`${group}/v1`, late),
  });
  expect(codec.convertNow(slice(`${group}/v1`, late), { ...kind, version: 'v1beta1' })).toEqual({
    outcome: 'converted',
    object: slice(`${group}/v1beta1`, early),
  });
});

// Source: kubernetes pkg/apis/resource/v1beta1/defaults.go
test.each<[fact: string, request: JsonObject, defaulted: JsonObject]>([
  [
    'an exact one',
    { name: 'r', deviceClassName: 'c' },
    { name: 'r', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 },
  ],
  [
    'all devices have no count',
    { name: 'r', deviceClassName: 'c', allocationMode: 'All' },
    { name: 'r', deviceClassName: 'c', allocationMode: 'All' },
  ],
  [
    'one with alternatives',
    { name: 'r', deviceClassName: '', firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
    {
      name: 'r',
      deviceClassName: '',
      firstAvailable: [{ name: 's', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 }],
    },
  ],
])('defaults of a request of v1beta1: %s', (_fact, request, defaulted) => {
  const object = { ...claim('v1beta1', [request]), kind: 'ResourceClaim', apiVersion: `${group}/v1beta1` };
  expect(codec.applyDefaults(object)).toEqual(claim('v1beta1', [defaulted]));
});
