import { expect, test } from 'vitest';
import { asList, asObject } from '../../../src/machinery/json/json.ts';
import type { CacheChange } from '../../../src/apiserver/storage/cluster-cache.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld, type SendOptions } from '../../harness/world.ts';

const collection = '/api/v1/namespaces/default/configmaps';
const item = `${collection}/c`;
const manager = '?fieldManager=m';
const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', labels: { app: 'a' } },
  data: { k: 'v' },
};

type Row = readonly [write: string, method: string, path: string, body: unknown, more: SendOptions];

// Source: apiserver pkg/storage/etcd3/store.go GuaranteedUpdate: equal bytes are not written, and no watch receives an event.
const rows: readonly Row[] = [
  ['a PUT of the same', 'PUT', `${item}${manager}`, object, {}],
  ['a PUT of the same by another manager', 'PUT', `${item}?fieldManager=other`, object, {}],
  [
    'a merge patch of the same',
    'PATCH',
    `${item}${manager}`,
    { data: { k: 'v' } },
    { contentType: 'application/merge-patch+json' },
  ],
  ['an empty merge patch', 'PATCH', item, {}, { contentType: 'application/merge-patch+json' }],
  [
    'a strategic patch of the same',
    'PATCH',
    `${item}${manager}`,
    { metadata: { labels: { app: 'a' } } },
    { contentType: 'application/strategic-merge-patch+json' },
  ],
  [
    'a JSON patch that only tests',
    'PATCH',
    item,
    [{ op: 'test', path: '/data/k', value: 'v' }],
    { contentType: 'application/json-patch+json' },
  ],
];

const revisionOf = (body: unknown): unknown => at(body, 'metadata', 'resourceVersion');

test.each(rows)('%s keeps the revision, and no watch receives an event', async (...row) => {
  const [, method, path, body, more] = row;
  const world = await createTestWorld();
  const made = await world.send('POST', `${collection}${manager}`, object);
  const seen: CacheChange[] = [];
  world.store.watch({ group: '', resource: 'configmaps' }, world.store.revision(), (change) => seen.push(change));
  await world.clock.advance(60_000);
  const answer = await world.send(method, path, body, more);
  expect(answer.code).toBe(200);
  expect(revisionOf(answer.body)).toBe(revisionOf(made.body));
  expect(seen).toEqual([]);
});

test('a write that changes something sends one event, with a new revision', async () => {
  const world = await createTestWorld();
  const made = await world.send('POST', `${collection}${manager}`, object);
  const seen: CacheChange[] = [];
  world.store.watch({ group: '', resource: 'configmaps' }, world.store.revision(), (change) => seen.push(change));
  const answer = await world.send('PUT', `${item}${manager}`, { ...object, data: { k: 'w' } });
  expect(revisionOf(answer.body)).not.toBe(revisionOf(made.body));
  expect(seen.map(({ type, revision }) => [type, String(revision)])).toEqual([['updated', revisionOf(answer.body)]]);
});

// Source: apiserver pkg/endpoints/handlers/fieldmanager/equality.go: fewer managers are a change, whatever times they have.
test('a PUT that takes a manager away is written, with the times that it shows', async () => {
  const world = await createTestWorld();
  await world.send('POST', `${collection}${manager}`, object);
  const merging: SendOptions = { contentType: 'application/merge-patch+json' };
  const made = await world.send('PATCH', `${item}?fieldManager=n`, { data: { more: 'v' } }, merging);
  const [first, second] = asList(asObject(made.body['metadata'])['managedFields']).map(asObject);
  expect([first?.['manager'], second?.['manager']]).toEqual(['m', 'n']);
  const reported = { ...first, time: '2020-01-01T00:00:00Z' };
  const body = { ...made.body, metadata: { ...asObject(made.body['metadata']), managedFields: [reported] } };
  const answer = await world.send('PUT', `${item}${manager}`, body);
  expect(at(answer.body, 'metadata', 'managedFields')).toEqual([reported]);
  expect(revisionOf(answer.body)).not.toBe(revisionOf(made.body));
});
