import { expect, test } from 'vitest';
import { fieldErrorText } from '../../../src/machinery/meta/field-error.ts';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { scaleErrors, scaleOf, withReplicas } from '../../../src/apiserver/request/scale.ts';

const workload = (kind: string, spec: JsonObject, more: JsonObject = {}): KubernetesObject => ({
  apiVersion: kind === 'ReplicationController' ? 'v1' : 'apps/v1',
  kind,
  metadata: { name: 'a' },
  spec,
  ...more,
});
const selector = { matchLabels: { b: '2', a: '1' } };

// Source: kubernetes pkg/registry/apps/deployment/storage/storage_test.go TestScaleGet, pkg/registry/core/replicationcontroller/storage.
test.each<[fact: string, parent: KubernetesObject, scale: JsonObject]>([
  ['nothing said', workload('Deployment', {}), { spec: {}, status: { replicas: 0 } }],
  ['0 replicas', workload('Deployment', { replicas: 0 }), { spec: {}, status: { replicas: 0 } }],
  ['one', workload('Deployment', { replicas: 1 }), { spec: { replicas: 1 }, status: { replicas: 0 } }],
  [
    'those that are there',
    workload('Deployment', { replicas: 2 }, { status: { replicas: 1 } }),
    { spec: { replicas: 2 }, status: { replicas: 1 } },
  ],
  [
    'a selector',
    workload('Deployment', { replicas: 1, selector }),
    { spec: { replicas: 1 }, status: { replicas: 0, selector: 'a=1,b=2' } },
  ],
  [
    'a selector that cannot be read',
    workload('Deployment', { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }),
    { spec: {}, status: { replicas: 0 } },
  ],
  [
    'labels, of a ReplicationController',
    workload('ReplicationController', { selector: { b: '2', a: '1' } }),
    { spec: {}, status: { replicas: 0, selector: 'a=1,b=2' } },
  ],
  ['no labels', workload('ReplicationController', {}), { spec: {}, status: { replicas: 0 } }],
])('a Scale of %s', (_fact, parent, scale) => {
  expect(scaleOf(parent)).toStrictEqual({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'a' },
    ...scale,
  });
});

test('of the metadata it has what names the object, and no more', () => {
  const named = { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '7', creationTimestamp: 'then' };
  const parent = { ...workload('Deployment', {}), metadata: { ...named, generation: 3, labels: { a: 'b' } } };
  expect(scaleOf(parent).metadata).toStrictEqual(named);
  expect(scaleOf({ ...parent, metadata: {} }).metadata).toStrictEqual({});
});

const scaled = (replicas: JsonValue | undefined): KubernetesObject => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  spec: replicas === undefined ? {} : { replicas },
});

// Source: kubernetes pkg/apis/autoscaling/validation/validation_test.go TestValidateScale
test.each<[replicas: JsonValue | undefined, errors: readonly string[]]>([
  [undefined, []],
  [0, []],
  [1, []],
  [-1, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
])('%j replicas', (replicas, errors) => {
  expect(scaleErrors(scaled(replicas), 37).map(fieldErrorText)).toEqual(errors);
  const parent = withReplicas(workload('Deployment', { replicas: 5, paused: true }), scaled(replicas));
  expect(parent['spec']).toEqual({ replicas: replicas ?? 0, paused: true });
});
