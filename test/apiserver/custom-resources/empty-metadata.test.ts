import { expect, test } from 'vitest';
import { asObject, type JsonObject, type JsonValue } from '../../../src/machinery/json/json.ts';
import { adminUser } from '../../harness/world.ts';
import { things, worldOfAnything } from './established.ts';

const empty = { labels: {}, annotations: {}, ownerReferences: [], finalizers: [] };
const spec = { list: [], map: {} };
const metadata = { name: 'a', ...empty };
const thing = { apiVersion: 'turns.dev/v1', kind: 'Thing', metadata, spec };
const world = await worldOfAnything();

type Write = readonly [method: string, path: string, body: JsonValue, contentType: string];

async function answer([method, path, body, contentType]: Write): Promise<JsonObject> {
  const { code, body: object } = await world.send(method, path, body, { as: adminUser, contentType });
  const fields = Object.keys(asObject(object['metadata']));
  return { code, empty: fields.filter((field) => Object.hasOwn(empty, field)), spec: object['spec'] ?? null };
}

// Source: recorded conversation crd-cr-finalizers; apiextensions-apiserver pkg/apiserver/schema/objectmeta/coerce.go SetObjectMeta.
test.each<Write>([
  ['POST', things, thing, 'application/json'],
  ['PUT', `${things}/a`, thing, 'application/json'],
  ['PATCH', `${things}/a`, { metadata: empty }, 'application/merge-patch+json'],
  ['PATCH', `${things}/a`, [{ op: 'add', path: '/metadata/labels', value: {} }], 'application/json-patch+json'],
  ['PATCH', `${things}/a?fieldManager=m&force=true`, thing, 'application/apply-patch+yaml'],
])('%s %s: metadata is printed without lists and maps that are empty, spec with them', async (...write) => {
  const [method, path, body, contentType] = write;
  const live = await world.send('GET', `${things}/a`, undefined, { as: adminUser });
  const { resourceVersion = '' } = asObject(live.body['metadata']);
  const numbered = method === 'PUT' ? { ...thing, metadata: { ...metadata, resourceVersion } } : body;
  expect(await answer([method, path, numbered, contentType])).toEqual({
    code: method === 'POST' ? 201 : 200,
    empty: [],
    spec,
  });
});

test('the write that takes the last finalizer off answers without finalizers', async () => {
  const merge = 'application/merge-patch+json';
  await world.send('POST', things, { ...thing, metadata: { name: 'b', finalizers: ['x.dev/y'] } }, { as: adminUser });
  await world.send('DELETE', `${things}/b`, undefined, { as: adminUser });
  expect(await answer(['PATCH', `${things}/b`, { metadata: { finalizers: [] } }, merge])).toEqual({
    code: 200,
    empty: [],
    spec,
  });
});
