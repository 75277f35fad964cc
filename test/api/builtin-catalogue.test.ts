import { expect, test } from 'vitest';
import { createCatalogue } from '../../src/api/types/catalogue/create-catalogue.ts';
import type { ResourceInfo } from '../../src/api/types/catalogue/catalogue.ts';
import { recordedRelease } from '../harness/recorded-release.ts';

const catalogue = recordedRelease.createCatalogue();
const names = (rows: readonly ResourceInfo[]): readonly string[] =>
  rows.map(({ group, version, resource, subresource }) =>
    [group, version, resource, subresource].filter(Boolean).join('/'),
  );

// Rules SEL-31 and SEL-34.
test.each([
  [
    'events share storage',
    { group: 'events.k8s.io', version: 'v1', resource: 'events' },
    '',
    ['v1/events', 'events.k8s.io/v1/events'],
  ],
  [
    'autoscalers, v2 first',
    { group: 'autoscaling', version: 'v1', resource: 'horizontalpodautoscalers' },
    '',
    ['autoscaling/v2/horizontalpodautoscalers', 'autoscaling/v1/horizontalpodautoscalers'],
  ],
  [
    'a subresource has its own',
    { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' },
    'status',
    ['autoscaling/v2/horizontalpodautoscalers/status', 'autoscaling/v1/horizontalpodautoscalers/status'],
  ],
  [
    'most stand alone',
    { group: 'apps', version: 'v1', resource: 'deployments' },
    'scale',
    ['apps/v1/deployments/scale'],
  ],
  ['an unknown one has none', { group: 'apps', version: 'v1', resource: 'nope' }, '', []],
])('equivalents: %s', (_sentence, resource, subresource, expected) => {
  expect(names(catalogue.equivalents(resource, subresource))).toEqual(expected);
});

test.each([
  [
    'the body of a scale',
    { group: 'apps', version: 'v1', resource: 'deployments' },
    'scale',
    {
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      storage: { resource: 'deployments', kind: 'Deployment' },
    },
  ],
  [
    'an eviction',
    { group: '', version: 'v1', resource: 'pods' },
    'eviction',
    { kind: { group: 'policy', version: 'v1', kind: 'Eviction' } },
  ],
  [
    'where events are kept',
    { group: 'events.k8s.io', version: 'v1', resource: 'events' },
    '',
    { storage: { group: '', version: 'v1', resource: 'events', kind: 'Event' } },
  ],
  [
    'where autoscalers are kept',
    { group: 'autoscaling', version: 'v1', resource: 'horizontalpodautoscalers' },
    '',
    { storage: { group: 'autoscaling', version: 'v2' } },
  ],
  [
    'scope and names',
    { group: '', version: 'v1', resource: 'nodes' },
    '',
    { namespaced: false, singular: 'node', shortNames: ['no'] },
  ],
])('find: %s', (_sentence, resource, subresource, expected) => {
  expect(catalogue.find(resource, subresource)).toMatchObject(expected);
});

test.each([
  ['v1', '', 'v1', true],
  ['apps/v1', 'apps', 'v1', true],
  ['apps/v1beta1', 'apps', 'v1beta1', false],
])('hasVersion %s', (_sentence, group, version, expected) => {
  expect(catalogue.hasVersion(group, version)).toBe(expected);
});

test('every row has a type that is known to the last field', () => {
  const open = catalogue.all().map(({ kind }) => recordedRelease.types.typeOfKind(kind) ?? `no type for ${kind.kind}`);
  const seen = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const info = recordedRelease.types.typeInfo(name);
    expect(info).toBeDefined();
    if (info?.is !== 'struct') continue;
    for (const { type } of info.fields) if (type.type === 'named') open.push(type.name);
  }
  expect(seen.size).toBeGreaterThan(300);
});

const row = (group: string): ResourceInfo => ({
  group,
  version: 'v1',
  resource: 'things',
  subresource: '',
  namespaced: true,
  kind: { group, version: 'v1', kind: 'Thing' },
  singular: 'thing',
  shortNames: [],
  categories: [],
  verbs: ['get'],
  storage: { group, version: 'v1', resource: 'things', kind: 'Thing' },
});

test('custom rows come last, by group, and go again', () => {
  const live = recordedRelease.createCatalogue();
  const builtin = live.all().length;
  live.put('things.b.io', [row('b.io')]);
  live.put('things.a.io', [row('a.io')]);
  expect(names(live.all()).slice(builtin)).toEqual(['a.io/v1/things', 'b.io/v1/things']);
  expect(live.forKind({ group: 'a.io', version: 'v1', kind: 'Thing' })?.resource).toBe('things');
  live.remove('things.a.io');
  live.remove('things.b.io');
  expect(live.all()).toHaveLength(builtin);
});

test('versions of a group come newest first, equivalents as they were registered; forks go apart', () => {
  const live = createCatalogue(recordedRelease.types, []);
  const versioned = (version: string): ResourceInfo => ({
    ...row('a.io'),
    version,
    kind: { ...row('a.io').kind, version },
  });
  let changes = 0;
  const close = live.follow(() => (changes += 1));
  live.put('things.a.io', ['v1beta1', 'v2', 'v1'].map(versioned));
  const fork = live.fork();
  expect(names(live.all())).toEqual(['a.io/v2/things', 'a.io/v1/things', 'a.io/v1beta1/things']);
  expect(names(live.equivalents({ group: 'a.io', version: 'v1', resource: 'things' }, ''))).toEqual([
    'a.io/v1beta1/things',
    'a.io/v2/things',
    'a.io/v1/things',
  ]);
  live.remove('things.a.io');
  expect([live.all().length, fork.all().length]).toEqual([0, 3]);
  fork.put('things.b.io', [row('b.io')]);
  expect([live.all().length, fork.all().length]).toEqual([0, 4]);
  close();
  live.remove('things.a.io');
  live.put('things.a.io', []);
  expect(changes).toBe(2);
});

test('a built-in resource comes before one that a definition has of the same path; lists are the same while nothing changes', () => {
  const live = recordedRelease.createCatalogue();
  const path = { group: 'networking.k8s.io', version: 'v1', resource: 'ingresses' };
  live.put('ingresses.networking.k8s.io', [{ ...row('networking.k8s.io'), resource: 'ingresses', verbs: [] }]);
  expect(live.find(path, '')?.verbs).toContain('create');
  expect(live.isCustom('networking.k8s.io', 'v1')).toBe(false);
  const before = live.all();
  expect([live.all() === before, live.fork().all() === before]).toEqual([true, true]);
  live.put('things.a.io', [row('a.io')]);
  expect(live.all() === before).toBe(false);
  expect([live.hasVersion('a.io', 'v1'), live.isCustom('a.io', 'v1'), live.hasVersion('a.io', 'v2')]).toEqual([
    true,
    true,
    false,
  ]);
});
