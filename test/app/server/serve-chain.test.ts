import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { chainChoices, withManifest } from '../../../src/app/server/serve-chain.ts';
import type { ResourceInfo } from '../../../src/api/types/catalogue/catalogue.ts';

const row = (resource: string, kind: string, over: Partial<ResourceInfo> = {}): ResourceInfo => ({
  group: '',
  version: 'v1',
  resource,
  subresource: '',
  namespaced: true,
  kind: { group: '', version: 'v1', kind },
  singular: kind.toLowerCase(),
  shortNames: [],
  categories: [],
  verbs: ['create', 'get'],
  storage: { group: '', version: 'v1', resource, kind },
  ...over,
});
const rows = [row('pods', 'Pod'), row('bindings', 'Binding', { verbs: ['create'] }), row('x', 'X', { verbs: ['get'] })];
const catalogue: Parameters<typeof withManifest>[1] = {
  forKind: ({ group, version, kind }) =>
    group === '' && version === 'v1' ? rows.find((one) => one.kind.kind === kind) : undefined,
};
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\n';

const questions: readonly [fact: string, question: JsonObject, asked: JsonObject][] = [
  ['without a manifest it stays as it is', { verb: 'create', resource: 'pods' }, { verb: 'create', resource: 'pods' }],
  ['an empty one is none', { resource: 'pods', manifest: ' \n' }, { resource: 'pods' }],
  [
    'it says resource, name and namespace',
    { verb: 'create', namespace: 'default', manifest: pod },
    { verb: 'create', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web' },
  ],
  [
    'JSON is YAML',
    { manifest: '{"apiVersion":"v1","kind":"Pod"}', namespace: 'a' },
    { resource: 'pods', namespace: 'a' },
  ],
  [
    'a resource that is named counts: the body of a scale is no Deployment',
    { group: 'apps', version: 'v1', resource: 'deployments', subresource: 'scale', manifest: pod },
    { group: 'apps', resource: 'deployments', subresource: 'scale', name: 'web' },
  ],
];

test.each(questions)('%s', async (_fact, question, asked) => {
  expect(await withManifest(question, catalogue)).toMatchObject({ ok: true, value: asked });
});

test.each([
  ['kind: [', /^the manifest cannot be read: /],
  ['- a', /^the manifest is not an object/],
  ['kind: Pod', /^the manifest needs apiVersion and kind/],
  ['apiVersion: v2\nkind: Pod', /^this server has no kind Pod in v2/],
])('%j is refused with one line', async (manifest, message) => {
  expect(await withManifest({ manifest }, catalogue)).toMatchObject({
    ok: false,
    status: { code: 400, message: expect.stringMatching(message) },
  });
});

test('read-only resources are not offered', () => {
  const answer = chainChoices({ all: () => rows });
  const body = answer.type === 'document' && typeof answer.body === 'string' ? answer.body : '';
  expect(JSON.parse(body).resources.map(({ resource }: { resource: string }) => resource)).toEqual([
    'pods',
    'bindings',
  ]);
});

test('a question of very many fields is refused before it is copied', async () => {
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_none, at) => [`f${at}`, at]));
  Object.keys(wide);
  expect(await withManifest(wide, catalogue)).toMatchObject({ ok: false, status: { code: 400 } });
});
