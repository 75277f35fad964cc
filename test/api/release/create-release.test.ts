import { expect, test } from 'vitest';
import { valueAt } from '../../../src/machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { aggregatedDiscovery } from '../../../src/api/types/catalogue/discovery.ts';
import { openapiHash } from '../../../src/api/types/openapi/openapi.ts';
import { patchSchemasOf } from '../../../src/api/codec/patch/patch-schema.ts';
import { createRelease } from '../../../src/api/release/create-release.ts';
import { defaultRelease } from '../../../src/api/release/load-release.ts';
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
    ({ createCatalogue }) => JSON.stringify(aggregatedDiscovery(createCatalogue(), 'apis')).includes('networkpolicies'),
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
      const schema = patchSchemasOf(types)('core.v1.PodSpec');
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
  const [here, there] = answers(({ createCatalogue }) => openapiHash(createCatalogue(), 'api/v1'));
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
