import { expect, test } from 'vitest';
import type { GroupResource } from '../../../src/machinery/meta/gvk.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { evaluatorFor } from '../../../src/apiserver/quota/evaluator-for.ts';
import { scopeMatchesNames } from '../../../src/apiserver/quota/evaluator.ts';
import { usageList } from '../../../src/apiserver/quota/usage.ts';
import { clusterOf, object } from '../../harness/builtin-plugin.ts';

const classes = [
  object('resource.k8s.io/v1', 'DeviceClass', 'gpu', { spec: { extendedResourceName: 'example.com/gpu' } }),
  object('resource.k8s.io/v1', 'DeviceClass', 'nic', { spec: {} }),
];
const cluster = clusterOf({ 'deviceclasses.resource.k8s.io': classes });

const usageOf = (resource: GroupResource, of: KubernetesObject): unknown =>
  usageList(evaluatorFor(resource, cluster)?.usage(of, 0) ?? new Map());

const claim = (spec: JsonObject, status: JsonObject = {}, annotations: JsonObject = {}): KubernetesObject =>
  object('v1', 'PersistentVolumeClaim', 'c', { metadata: { name: 'c', annotations }, spec, status });
const asking = (storage: string): JsonObject => ({ resources: { requests: { storage } } });
const allocated = (storage: string): JsonObject => ({ allocatedResources: { storage } });
const one = { 'count/persistentvolumeclaims': '1', persistentvolumeclaims: '1' };
const goldClaims = 'gold.storageclass.storage.k8s.io/persistentvolumeclaims';
const goldStorage = 'gold.storageclass.storage.k8s.io/requests.storage';

// Source: kubernetes pkg/quota/v1/evaluator/core/persistent_volume_claims_test.go TestPersistentVolumeClaimEvaluatorUsage.
test.each<readonly [fact: string, claim: KubernetesObject, usage: JsonObject]>([
  ['that asks for nothing', claim({}), one],
  ['of no class', claim(asking('10Gi')), { ...one, 'requests.storage': '10Gi' }],
  [
    'of a class',
    claim({ ...asking('10Gi'), storageClassName: 'gold' }),
    { ...one, 'requests.storage': '10Gi', [goldClaims]: '1', [goldStorage]: '10Gi' },
  ],
  ['of a class, that asks for nothing', claim({ storageClassName: 'gold' }), { ...one, [goldClaims]: '1' }],
  [
    'whose class an annotation says',
    claim({ storageClassName: 'silver' }, {}, { 'volume.beta.kubernetes.io/storage-class': 'gold' }),
    { ...one, [goldClaims]: '1' },
  ],
  ['that got more', claim(asking('1Gi'), allocated('2Gi')), { ...one, 'requests.storage': '2Gi' }],
  ['that got less', claim(asking('2Gi'), allocated('1Gi')), { ...one, 'requests.storage': '2Gi' }],
  ['that got as much in other words', claim(asking('1Gi'), allocated('1024Mi')), { ...one, 'requests.storage': '1Gi' }],
  ['of parts of a byte', claim(asking('1500m')), { ...one, 'requests.storage': '2' }],
])('a claim of a volume %s', (_fact, of, usage) => {
  expect(usageOf({ group: '', resource: 'persistentvolumeclaims' }, of)).toEqual(usage);
});

const devices = (...requests: readonly JsonObject[]): KubernetesObject =>
  object('resource.k8s.io/v1', 'ResourceClaim', 'c', { spec: { devices: { requests } } });
const exactly = (deviceClassName: string, count: number): JsonObject => ({
  exactly: { deviceClassName, allocationMode: 'ExactCount', count },
});
const counted = { 'count/resourceclaims.resource.k8s.io': '1' };
const ofGpu = (count: string): JsonObject => ({
  'gpu.deviceclass.resource.k8s.io/devices': count,
  'requests.deviceclass.resource.kubernetes.io/gpu': count,
  'requests.example.com/gpu': count,
});

// Source: kubernetes pkg/quota/v1/evaluator/core/resource_claims_test.go.
test.each<readonly [fact: string, claim: KubernetesObject, usage: JsonObject]>([
  ['of nothing', devices(), counted],
  ['of two devices', devices(exactly('gpu', 2)), { ...counted, ...ofGpu('2') }],
  ['of two requests of a class', devices(exactly('gpu', 2), exactly('gpu', 1)), { ...counted, ...ofGpu('3') }],
  ['of none', devices(exactly('gpu', 0)), { ...counted, 'gpu.deviceclass.resource.k8s.io/devices': '0' }],
  ['of no class', devices(exactly('', 1)), { ...counted, '.deviceclass.resource.k8s.io/devices': '1' }],
  [
    'of all of a class',
    devices({ exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }),
    { ...counted, ...ofGpu('32') },
  ],
  [
    'of a class that stands for no extended resource',
    devices(exactly('nic', 1)),
    {
      ...counted,
      'nic.deviceclass.resource.k8s.io/devices': '1',
      'requests.deviceclass.resource.kubernetes.io/nic': '1',
    },
  ],
  [
    'of alternatives: the most of each class',
    devices({
      firstAvailable: [
        { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 },
        { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 },
      ],
    }),
    { ...counted, ...ofGpu('2') },
  ],
])('a claim of devices %s', (_fact, of, usage) => {
  expect(usageOf({ group: 'resource.k8s.io', resource: 'resourceclaims' }, of)).toEqual(usage);
});

// Source: apimachinery pkg/labels requirements over each name; apiserver pkg/quota/v1/generic/evaluator.go.
test.each<readonly [operator: string, names: readonly string[], isMet: boolean]>([
  ['In', ['gold'], true],
  ['In', ['lead', 'gold'], true],
  ['In', ['lead'], false],
  ['In', [], false],
  ['NotIn', ['gold'], false],
  ['NotIn', ['lead'], true],
  ['NotIn', [], true],
  ['Exists', ['lead'], true],
  ['Exists', [], false],
  ['DoesNotExist', ['lead'], false],
  ['DoesNotExist', [], true],
  ['', ['gold'], false],
])('%s gold is met by %j: %s', (operator, names, isMet) => {
  expect(scopeMatchesNames({ scopeName: 'VolumeAttributesClass', operator, values: ['gold'] }, names)).toBe(isMet);
});
