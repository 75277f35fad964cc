import { expect, test } from 'vitest';
import { loadRelease } from '../../../src/api/release/load-release.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import type { StrategyFor } from '../../../src/api/strategy/strategy-for.ts';
import { withMetadata } from '../../../src/machinery/meta/object.ts';
import { contextWith, decoded, type Manifest } from './write.ts';

const pods = { group: '', resource: 'pods' };
const services = { group: '', resource: 'services' };

const service = (name: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }] },
});
const pod: Manifest = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', labels: { a: 'b', c: 'd' } },
  spec: {
    containers: [{ name: 'c', image: 'i' }],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { a: 'b' } },
        matchLabelKeys: ['c'],
      },
    ],
  },
};

function strategiesOf(gates: string): StrategyFor {
  const reading = recordedRelease.readFeatureGates([gates]);
  if (reading.outcome === 'wrong') throw new Error(reading.error);
  return recordedRelease.withGates(reading.gates).strategyFor;
}

const startsWithLetter =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

// What kube-apiserver v1.36.2 answered with these gates off.
test.each<readonly [gates: string, what: typeof pods, manifest: Manifest, faults: readonly string[]]>([
  ['RelaxedServiceNameValidation=false', services, service('1abc'), [startsWithLetter]],
  ['RelaxedServiceNameValidation=true', services, service('1abc'), []],
  ['MatchLabelKeysInPodTopologySpreadSelectorMerge=false', pods, pod, []],
  ['MatchLabelKeysInPodTopologySpreadSelectorMerge=true', pods, pod, []],
])('%s, a new object of %j', (gates, what, manifest, faults) => {
  const strategy = strategiesOf(gates)(what);
  const object = withMetadata(decoded(manifest), { uid: 'u', creationTimestamp: '2026-01-02T03:04:05Z' });
  const prepared = strategy.prepareForCreate(object, contextWith());
  if (!prepared.ok) throw new Error(prepared.status.message);
  const details = strategy.validate(prepared.value).map(({ field, detail }) => [field, detail] as const);
  expect(details.filter(([field]) => field === 'metadata.name' || field.includes('matchLabelKeys'))).toEqual(
    faults.map((fault) => ['metadata.name', fault]),
  );
});

// Source: kubernetes pkg/registry/resource/resourceslice/strategy.go dropDisableDRAListTypeAttributesFields; tried on v1.36.2.
test('lists of a device are dropped unless their gate is on', () => {
  const what = { group: 'resource.k8s.io', resource: 'resourceslices' };
  const devices = [{ name: 'd', attributes: { a: { versions: ['a/../b'] }, b: { string: 'x' }, c: { ints: [1, 1] } } }];
  const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
  const slice = decoded({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 's' },
    spec: { driver: 'd.x', nodeName: 'n', pool, devices },
  });
  const prepared = (gate: string) =>
    strategiesOf(`DRAListTypeAttributes=${gate}`)(what).prepareForCreate(slice, contextWith());
  expect(prepared('false')).toMatchObject({
    ok: true,
    value: { spec: { devices: [{ attributes: { a: {}, b: { string: 'x' }, c: {} } }] } },
  });
  expect(JSON.stringify(prepared('false'))).not.toMatch(/versions|ints/);
  expect(prepared('true')).toMatchObject({ ok: true, value: { spec: { devices } } });
});

const devices = (change: JsonObject): JsonObject => ({
  driver: 'd.example.com',
  nodeName: 'n',
  pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
  ...change,
});
const consuming = { name: 'd', consumesCounters: [{ counterSet: 's', counters: {}, compatibilityGroups: ['g'] }] };
const deriving = { deviceClassName: 'c', derivedAttributes: [{ name: 'x.example.com/a', expression: '1' }] };

// Source: kubernetes pkg/registry/resource/{resourceslice,resourceclaim}/strategy.go and pkg/api/resourceclaimspec/util.go of 1.37.
test.each<readonly [gates: string, kind: string, spec: JsonObject, field: string]>([
  ['DRAOptionalNodeOperations=true', 'ResourceSlice', devices({ skipNodeOperations: ['*'] }), 'skipNodeOperations'],
  ['DRADeviceCompatibilityGroups=true', 'ResourceSlice', devices({ devices: [consuming] }), 'compatibilityGroups'],
  [
    'DRANodeAllocatableResources=true',
    'ResourceSlice',
    devices({ devices: [{ name: 'd', nodeAllocatableResources: { cpu: { mapping: {} } } }] }),
    'nodeAllocatableResources',
  ],
  [
    'DRAPartitionableDevicesType=true,DRAResourcePoolStatus=true',
    'ResourceSlice',
    devices({ partitionTypeAttribute: 'x.example.com/a' }),
    'partitionTypeAttribute',
  ],
  [
    'DRADerivedAttributes=true',
    'ResourceClaim',
    { devices: { requests: [{ name: 'r', exactly: deriving }] } },
    'derivedAttributes',
  ],
])('with %s alone a new %s keeps a field of it', async (gates, kind, spec, field) => {
  const release = await loadRelease('1.37');
  const reading = release.readFeatureGates([gates]);
  if (reading.outcome === 'wrong') throw new Error(reading.error);
  const object = { apiVersion: 'resource.k8s.io/v1', kind, metadata: { name: 'a' }, spec };
  const what = { group: 'resource.k8s.io', resource: `${kind.toLowerCase()}s` };
  const stored = ({ strategyFor }: Pick<typeof release, 'strategyFor'>): string =>
    JSON.stringify(strategyFor(what).prepareForCreate(object, contextWith()));
  expect(stored(release)).not.toContain(field);
  expect(stored(release.withGates(reading.gates))).toContain(field);
});
