import { expect, test } from 'vitest';
import { valueAt } from '../../../src/machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { createAggregatedDiscovery } from '../../../src/api/types/catalogue/discovery.ts';
import { hashOpenapi } from '../../../src/api/types/openapi/openapi.ts';
import { getPatchSchemas } from '../../../src/api/codec/patch/patch-schema.ts';
import { createRelease, defaultRelease, readRelease } from '../../../src/api/release/load-release.ts';
import type { Release, ReleaseTables } from '../../../src/api/release/release.ts';
import { newestTables } from '../../../src/api/release/newest-tables.ts';
import { readFileSync } from 'node:fs';
import { checksums, madeFile } from '../../tools/release/checksums.ts';
import { followedVersion, releaseNames } from '../../../src/machinery/meta/release-names.ts';

// An imagined release beside the real one: no NetworkPolicy, no `hostUsers` of Pods, one column of ConfigMaps less.
const { 'networking.k8s.io/v1/NetworkPolicy': _gone, ...kinds } = newestTables.types.kinds;
const podSpec = newestTables.types.types['core.v1.PodSpec'];
if (!Array.isArray(podSpec)) throw new Error('no PodSpec in the tables');
const isHostUsers = (line: unknown): boolean => String(line).startsWith('hostUsers ');
const fewer: ReleaseTables = {
  ...newestTables,
  types: {
    ...newestTables.types,
    version: 'v1.0.0',
    kinds,
    types: { ...newestTables.types.types, 'core.v1.PodSpec': podSpec.filter((line) => !isHostUsers(line)) },
  },
  resources: newestTables.resources.map((group) => ({
    ...group,
    versions: group.versions.map((version) => ({
      ...version,
      resources: version.resources.filter(({ name }) => name !== 'networkpolicies'),
    })),
  })),
  columns: { ...newestTables.columns, '/v1/configmaps': [{ name: 'Name', type: 'string', format: 'name' }] },
  featureGates: {},
  deprecations: { '/v1/pods': 'v1 Pod is imagined to be deprecated' },
};
const other = createRelease(fewer);
const both: readonly (readonly [string, Release])[] = [
  ['the real one', defaultRelease],
  ['the imagined one', other],
];

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { hostUsers: false, nodeName: 'n' } };
const podKind = { group: '', version: 'v1', kind: 'Pod' };

function decodedIn({ codec }: Release): readonly [object: KubernetesObject | undefined, strict: readonly string[]] {
  const decoded = codec.decodeValue(pod, podKind);
  return decoded.outcome === 'decoded' ? [decoded.object, decoded.strict] : [undefined, []];
}

const answers = (ask: (release: Release) => unknown): readonly unknown[] => both.map(([, release]) => ask(release));

test('the tables have the field and the kind that the other release lacks', () => {
  expect(podSpec.filter(isHostUsers)).toHaveLength(1);
  expect(_gone).toBe('networking.v1.NetworkPolicy');
});

test.each<[fact: string, ask: (release: Release) => unknown, here: unknown, there: unknown]>([
  ['version', ({ types }) => types.version, 'v1.37.2', 'v1.0.0'],
  [
    'a kind that only one of them serves',
    ({ createCatalogue }) =>
      createCatalogue().forKind({ group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy' })?.resource,
    'networkpolicies',
    undefined,
  ],
  [
    'its name in discovery',
    ({ createCatalogue }) =>
      JSON.stringify(createAggregatedDiscovery(createCatalogue(), 'apis')).includes('networkpolicies'),
    true,
    false,
  ],
  [
    'a field that one of them prunes',
    (release) => valueAt(decodedIn(release)[0], 'spec', 'hostUsers'),
    false,
    undefined,
  ],
  ['what strict decoding says of it', (release) => decodedIn(release)[1], [], ['unknown field "spec.hostUsers"']],
  [
    'a field set later, which encoding leaves out where there is none',
    ({ codec }) =>
      JSON.stringify(
        codec.inFieldOrder(asKubernetesObject({ ...pod, spec: { nodeName: 'n', hostUsers: true } }) ?? pod)['spec'],
      ),
    '{"nodeName":"n","hostUsers":true}',
    '{"nodeName":"n"}',
  ],
  [
    'the schema by which a patch merges',
    ({ types }) => {
      const schema = getPatchSchemas(types)('core.v1.PodSpec');
      return schema?.is === 'struct' && schema.field('hostUsers') !== undefined;
    },
    true,
    false,
  ],
  [
    'the columns of a table',
    ({ columnsOf }) => columnsOf({ group: '', version: 'v1', resource: 'configmaps' })?.map(({ name }) => name),
    ['Name', 'Data', 'Age'],
    ['Name'],
  ],
  [
    'a warning of a deprecated resource',
    ({ deprecationOf }) => deprecationOf({ group: '', version: 'v1', resource: 'pods' }),
    undefined,
    'v1 Pod is imagined to be deprecated',
  ],
  ['a feature gate', ({ readFeatureGates }) => readFeatureGates(['ClusterTrustBundle=true']).outcome, 'read', 'wrong'],
])('%s: each release answers for itself', (_fact, ask, here, there) => {
  expect(answers(ask)).toEqual([here, there]);
  // The other way round, too: neither leaves something behind for the other.
  expect([ask(other), ask(defaultRelease)]).toEqual([there, here]);
});

test('what protobuf carries of the field', async () => {
  const message = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { hostUsers: false, nodeName: 'n' } };
  const here = await defaultRelease.loadProtobuf();
  const there = await other.loadProtobuf();
  expect(here.encode(message).length - there.encode(message).length).toBe(3);
  const read = there.decode(here.encode(message));
  expect(read.outcome === 'decoded' && read.object['spec']).not.toHaveProperty('hostUsers');
});

test('documents of OpenAPI have other hashes, for clients keep them', () => {
  const [here, there] = answers(({ createCatalogue }) => hashOpenapi(createCatalogue(), 'api/v1'));
  expect(here).not.toBe(there);
});

/**
 * Who changes the generator runs it for each release, who changes a table changes the generator: `npm run release-tables -- --minor 32`,
 * with `--check` to see what would be otherwise.
 */
test('the tables of releases are what the generator made', () => {
  expect(checksums()).toEqual(JSON.parse(readFileSync(madeFile, 'utf8')));
});

test('the default release has one name', () => {
  expect(defaultRelease.types.version).toBe(followedVersion);
  expect(releaseNames).toContain(/^v(1\.\d+)\./.exec(followedVersion)?.[1]);
});

async function releaseOf(text: string): Promise<Release> {
  const reading = readRelease(text);
  if (reading.outcome === 'unknown') throw new Error(reading.problem);
  return reading.load();
}

test.each([
  ['1.37', 'v1.37.2'],
  ['1.36', 'v1.36.2'],
  ['v1.36', 'v1.36.2'],
  ['1.36.2', 'v1.36.2'],
  ['1.36.0', 'v1.36.0'],
  ['1.35', 'v1.35.0'],
  ['1.34', 'v1.34.0'],
  ['1.33', 'v1.33.0'],
  ['v1.33.10', 'v1.33.10'],
])('%s is %s', async (text, version) => {
  expect((await releaseOf(text)).types.version).toBe(version);
});

test.each(['1.32', '1.38', '2.33', '', '1', 'latest', '1.33.x', '1.33.1.1', ' 1.33', '1.033'])(
  '%j is no release',
  (text) => {
    expect(readRelease(text)).toEqual({
      outcome: 'unknown',
      problem: 'is not a supported release: 1.33, 1.34, 1.35, 1.36, 1.37',
    });
  },
);

test('a release is made once', async () => {
  expect(await releaseOf('v1.33')).toBe(await releaseOf('1.33'));
  expect(await releaseOf('1.33.1')).not.toBe(await releaseOf('1.33'));
});

// api/discovery/aggregated_v2.json of each release.
test.each([
  ['1.37', 'certificates.k8s.io/v1', 'clustertrustbundles podcertificaterequests', ''],
  ['1.36', 'certificates.k8s.io/v1', 'certificatesigningrequests', 'clustertrustbundles podcertificaterequests'],
  ['1.37', 'storagemigration.k8s.io/v1', 'storageversionmigrations', ''],
  ['1.35', 'admissionregistration.k8s.io/v1', 'validatingadmissionpolicies', 'mutatingadmissionpolicies'],
  ['1.36', 'admissionregistration.k8s.io/v1', 'validatingadmissionpolicies mutatingadmissionpolicies', ''],
  ['1.33', 'networking.k8s.io/v1', 'ingresses servicecidrs ipaddresses', ''],
  ['1.33', 'resource.k8s.io/v1', '', 'resourceclaims'],
  ['1.34', 'resource.k8s.io/v1', 'resourceclaims deviceclasses', ''],
  ['1.33', 'storage.k8s.io/v1', 'storageclasses', 'volumeattributesclasses'],
  ['1.34', 'storage.k8s.io/v1', 'volumeattributesclasses', ''],
])('of %s, %s serves %j and not %j', async (name, path, there, missing) => {
  const release = await releaseOf(name);
  const [group = '', version = ''] = path.split('/');
  const isThere = (resource: string): boolean =>
    release.createCatalogue().find({ group, version, resource }, '') !== undefined;
  expect(words(there).filter((resource) => !isThere(resource))).toEqual([]);
  expect(words(missing).filter(isThere)).toEqual([]);
});

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

// staging/src/k8s.io/api/core/v1/types.go of each release.
test.each([
  ['1.33', 'core.v1.Container', 'restartPolicyRules', false],
  ['1.34', 'core.v1.Container', 'restartPolicyRules', true],
  ['1.35', 'core.v1.PodSpec', 'workloadRef', true],
  ['1.36', 'core.v1.PodSpec', 'workloadRef', false],
  ['1.36', 'core.v1.PodSpec', 'schedulingGroup', true],
  ['1.36', 'core.v1.PodSpec', 'evictionResponders', false],
  ['1.37', 'core.v1.PodSpec', 'evictionResponders', true],
  // Inlined: `json:",inline"` in 1.36, `json:""` in 1.37.
  ['1.36', 'core.v1.EphemeralContainer', '', true],
  ['1.37', 'core.v1.EphemeralContainer', '', true],
])('of %s, %s.%s: %s', async (name, type, field, isThere) => {
  const info = (await releaseOf(name)).types.typeInfo(type);
  expect(info?.is === 'struct' && info.fields.some((one) => one.name === field)).toBe(isThere);
});

// zz_generated.prerelease-lifecycle.go and core/v1/lifecycle.go of k8s.io/api.
test.each([
  ['1.33', '/v1/endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
  ['1.36', '/v1/componentstatuses', 'v1 ComponentStatus is deprecated in v1.19+'],
  [
    '1.33',
    'admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies',
    'admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy is deprecated in v1.31+, unavailable in v1.34+',
  ],
])('of %s, %s is warned of: %s', async (name, path, warning) => {
  const [group = '', version = '', resource = ''] = path.split('/');
  expect((await releaseOf(name)).deprecationOf({ group, version, resource })).toBe(warning);
});

// pkg/features/kube_features.go of each release.
test.each([
  ['1.34', 'MutatingAdmissionPolicy', false],
  ['1.33', 'SidecarContainers', true],
  ['1.36', 'MutatingAdmissionPolicy', true],
  ['1.36', 'MaxUnavailableStatefulSet', false],
  ['1.37', 'MaxUnavailableStatefulSet', true],
])('of %s, %s is on by default: %s', async (name, gate, isOn) => {
  const reading = (await releaseOf(name)).readFeatureGates([]);
  expect(reading.outcome === 'read' && reading.gates.isOn(gate)).toBe(isOn);
});

test('a gate that a release does not have is not recognized', async () => {
  const reading = (await releaseOf('1.33')).readFeatureGates(['GenericWorkload=true']);
  expect(reading).toEqual({ outcome: 'wrong', error: 'unrecognized feature gate: GenericWorkload' });
});

test.each(releaseNames)('of %s, every resource has a type, and every type what it is made of', async (name) => {
  const { types, createCatalogue } = await releaseOf(name);
  const kinds = createCatalogue(() => true)
    .all()
    .map(({ kind }) => kind);
  expect(kinds.filter((kind) => types.typeOfKind(kind) === undefined)).toEqual([]);
  expect([...types.kinds.values()].filter((type) => types.typeInfo(type) === undefined)).toEqual([]);
});
