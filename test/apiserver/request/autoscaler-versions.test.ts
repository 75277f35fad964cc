import { expect, test } from 'vitest';
import { mutatingConfiguration } from '../../harness/configurations.ts';
import { mutatingPolicy } from '../../harness/policies.ts';
import { at, type WorldAnswer } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';

// A mutating webhook's answer is converted into the object of the request as it stands, and autoscaling/v1 sets spec.metrics
// only from its cpu target and the annotation, spec.behavior only from its annotation. Sources: apiserver
// pkg/admission/conversion.go, kubernetes pkg/apis/autoscaling/v1/conversion.go; compared with kube-apiserver v1.36.2.

const resource = (name: string, averageUtilization: number): object => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization } },
});
const memory = resource('memory', 60);
const cpu = resource('cpu', 50);
const pods = {
  type: 'Pods',
  pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '5' } },
};
const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
const collection = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';

const annotatedMemory = '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":60}}]';

const v2 = (spec: object): object => ({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  metadata: { name: 'h' },
  spec: { scaleTargetRef, maxReplicas: 3, ...spec },
});

const labelled = [{ op: 'add', path: '/metadata/labels', value: { by: 'm' } }];
const without = (path: string): object[] => [...labelled, { op: 'remove', path }];
const annotation = (key: string): string => `/metadata/annotations/${key.replace('/', '~1')}`;

const hook = (name: string, version: string): object => ({
  name,
  rules: [
    {
      operations: ['*'],
      apiGroups: ['autoscaling'],
      apiVersions: [version],
      resources: ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'],
    },
  ],
});

type Patches = Readonly<Record<string, readonly object[]>>;

/** A world with a webhook for each patch; its name begins with the version it sees. */
async function worldWith(patches: Patches) {
  const names = Object.keys(patches);
  const world = await createTestWorld({
    responses: Object.fromEntries(names.map((name) => [name, () => ({ patch: patches[name] ?? [] }) as never])),
  });
  const webhooks = names.map((name) => hook(name, name.slice(0, 2)));
  await world.send(
    'POST',
    '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    mutatingConfiguration(webhooks),
  );
  return world;
}

const metricsOf = ({ body }: WorldAnswer): unknown => at(body, 'spec', 'metrics');

const rows: readonly (readonly [string, patches: Patches, metrics: readonly object[], stored: readonly object[]])[] = [
  ['one memory metric is stored twice', { 'v1.m.io': labelled }, [memory], [memory, memory]],
  ['one Pods metric is stored twice', { 'v1.m.io': labelled }, [pods], [pods, pods]],
  ['cpu takes the place of what was there', { 'v1.m.io': labelled }, [memory, cpu, pods], [memory, pods, cpu]],
  ['cpu that the webhook removes stays', { 'v1.m.io': without('/spec/targetCPUUtilizationPercentage') }, [cpu], [cpu]],
  ['the annotation gone, all metrics stay', { 'v1.m.io': without(annotation(metricsAnnotation)) }, [memory], [memory]],
  ['a webhook without a patch changes nothing', { 'v1.m.io': [] }, [memory], [memory]],
  ['a webhook that sees v2 changes nothing', { 'v2.m.io': labelled }, [memory], [memory]],
  [
    'each change of version adds one',
    { 'v1.a.io': labelled, 'v2.b.io': labelled, 'v1.c.io': labelled },
    [memory, cpu],
    [memory, cpu],
  ],
  [
    'two webhooks of one version convert once',
    { 'v1.a.io': labelled, 'v1.b.io': labelled },
    [memory],
    [memory, memory],
  ],
];

test.each(rows)('%s', async (_what, patches, metrics, stored) => {
  const world = await worldWith(patches);
  const made = await world.send('POST', collection('v2'), v2({ metrics }));
  expect([made.code, metricsOf(made)]).toEqual([201, stored]);
});

test('of several metrics that were there only the first is whole, and the others are refused', async () => {
  const world = await worldWith({ 'v1.m.io': labelled });
  const made = await world.send('POST', collection('v2'), v2({ metrics: [memory, pods] }));
  expect([made.code, made.message]).toEqual([
    422,
    'HorizontalPodAutoscaler.autoscaling "h" is invalid: [spec.metrics[3].type: Required value: must specify a metric source type, ' +
      'spec.metrics[3].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"]',
  ]);
});

test('an update converts into what was sent', async () => {
  const world = await worldWith({ 'v1.m.io': labelled });
  await world.send('POST', collection('v2'), v2({ metrics: [cpu] }));
  const put = await world.send('PUT', `${collection('v2')}/h`, v2({ metrics: [pods] }));
  expect([put.code, metricsOf(put)]).toEqual([200, [pods, pods]]);
});

test('behavior stays when the webhook removes its annotation', async () => {
  const world = await worldWith({ 'v1.m.io': without(annotation(behaviorAnnotation)) });
  const behavior = { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] } };
  const made = await world.send('POST', collection('v2'), v2({ metrics: [cpu], behavior }));
  expect(at(made.body, 'spec', 'behavior', 'scaleDown', 'policies')).toEqual(behavior.scaleDown.policies);
});

test('current metrics stay when the webhook removes their annotation', async () => {
  const world = await worldWith({});
  await world.send('POST', collection('v2'), v2({ metrics: [cpu] }));
  await world.send(
    'POST',
    '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    mutatingConfiguration([hook('v1.m.io', 'v1')]),
  );
  const currentMetrics = [{ type: 'Resource', resource: { name: 'memory', current: { averageValue: '1Gi' } } }];
  const status = { desiredReplicas: 1, currentMetrics };
  const put = await world.send('PUT', `${collection('v2')}/h/status`, { ...v2({ metrics: [cpu] }), status });
  expect(at(put.body, 'status', 'currentMetrics')).toEqual(currentMetrics);
});

test('a request in v1 goes the same way: its object is internal between the webhooks', async () => {
  const world = await worldWith({ 'v1.m.io': without('/spec/targetCPUUtilizationPercentage') });
  const sent = {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'h' },
    spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
  };
  const made = await world.send('POST', collection('v1'), sent);
  expect(at(made.body, 'spec', 'targetCPUUtilizationPercentage')).toBe(50);
});

test('a mutating policy that sees v1 goes the same way', async () => {
  const world = await createTestWorld();
  const resourceRules = [
    { operations: ['*'], apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] },
  ];
  const expression = 'Object{spec: Object.spec{maxReplicas: 9}}';
  await mutatingPolicy(world, 'm', [expression], { matchConstraints: { resourceRules } });
  const made = await world.send('POST', collection('v1'), {
    ...v2({}),
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'h', annotations: { [metricsAnnotation]: annotatedMemory } },
  });
  const shown = await world.send('GET', `${collection('v2')}/h`);
  expect([made.code, at(made.body, 'spec', 'maxReplicas'), metricsOf(shown)]).toEqual([201, 9, [memory, memory]]);
});
