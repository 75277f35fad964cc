import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  createAggregatedDiscovery,
  createGroupDocument,
  createGroupList,
  createLegacyVersions,
  createApiResourceList,
} from '../../src/api/types/catalogue/discovery.ts';
import { recordedRelease } from '../harness/recorded-release.ts';

const catalogue = recordedRelease.createCatalogue();

// test/facts/discovery is what kube-apiserver v1.36.2 answers.
test.each(['api', 'apis'] as const)('/%s aggregated is as recorded', (root) => {
  const answer: unknown = JSON.parse(readFileSync(`test/facts/discovery/${root}.json`, 'utf8'));
  expect(JSON.stringify(createAggregatedDiscovery(catalogue, root))).toBe(JSON.stringify(answer));
});

interface Step {
  readonly step: string;
  readonly body: unknown;
}

/** Recorded answers to GET /apis/GROUP and GET /apis/GROUP/VERSION. */
const recorded = readdirSync('test/facts/discovery')
  .filter((file) => file.includes('-'))
  .flatMap((file) => {
    const { transcript }: { readonly transcript: readonly Step[] } = JSON.parse(
      readFileSync(`test/facts/discovery/${file}`, 'utf8'),
    );
    return transcript.map(({ step, body }) => ({ path: step.replace('GET /apis/', ''), body }));
  });

test.each(recorded)('/apis/$path is as recorded', ({ path, body }) => {
  const [group = '', version] = path.split('/');
  const answer =
    version === undefined ? createGroupDocument(catalogue, group) : createApiResourceList(catalogue, group, version);
  const text = JSON.stringify(answer).replaceAll(/"storageVersionHash":"[^"]*"/g, '"storageVersionHash":"<hash>"');
  expect(text).toBe(JSON.stringify(body));
});

// kubernetes/kubernetes test/e2e/apimachinery/discovery.go and kubectl's cache of /api/v1.
test.each([
  [
    'the first group is apiregistration',
    createGroupList(catalogue)['groups'],
    { '0': { name: 'apiregistration.k8s.io' } },
  ],
  ['autoscaling prefers v2', createGroupDocument(catalogue, 'autoscaling'), { preferredVersion: { version: 'v2' } }],
  ['the core list', createApiResourceList(catalogue, '', 'v1'), { kind: 'APIResourceList', groupVersion: 'v1' }],
  ['the legacy versions', createLegacyVersions('127.0.0.1:6443'), { kind: 'APIVersions', versions: ['v1'] }],
])('%s', (_sentence, answer, expected) => {
  expect(answer).toMatchObject(expected);
});

test('drain finds the version of the eviction (spec/kubectl.md trap 22)', () => {
  expect(createApiResourceList(catalogue, '', 'v1')?.['resources']).toContainEqual({
    name: 'pods/eviction',
    singularName: '',
    namespaced: true,
    group: 'policy',
    version: 'v1',
    kind: 'Eviction',
    verbs: ['create'],
  });
});

test.each([
  ['an unknown group', createGroupDocument(catalogue, 'nope')],
  ['the core group has no group document', createGroupDocument(catalogue, '')],
  ['an unknown version', createApiResourceList(catalogue, 'apps', 'v2')],
])('%s is not there', (_sentence, answer) => {
  expect(answer).toBeUndefined();
});

// Source: kube-aggregator pkg/apiserver/handler_discovery.go; recorded conversation conversion-bundle-blank-unestablished.
test('a version whose resources are not listed has its name only', () => {
  const all = catalogue.all();
  const rows = all.map((row) => (row.group === 'batch' ? { ...row, unlisted: true as const } : row));
  const unlisted = { ...catalogue, all: () => rows };
  expect(createApiResourceList(unlisted, 'batch', 'v1')).toBeUndefined();
  expect(createGroupDocument(unlisted, 'batch')).toEqual(createGroupDocument(catalogue, 'batch'));
  const { items } = createAggregatedDiscovery(unlisted, 'apis');
  expect(items).toContainEqual({
    metadata: { name: 'batch' },
    versions: [{ version: 'v1', freshness: 'Current' }],
  });
});
