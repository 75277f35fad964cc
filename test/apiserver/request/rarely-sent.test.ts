import { expect, test } from 'vitest';
import { asList, asObject, asString } from '../../../src/machinery/json/json.ts';
import { createTestWorld } from '../../harness/world.ts';

// What a kube-apiserver v1.36.2 answered, asked beside this one.

const configMaps = '/api/v1/namespaces/default/configmaps';
const services = '/api/v1/namespaces/default/services';
const merge = { contentType: 'application/merge-patch+json' };
const yaml = { contentType: 'application/yaml' };
const nameless = 'the name of the object (cm based on URL) was undeterminable: name must be provided';

/** Go decodes what has no version into what it has in memory, of which no field has a name in JSON. */
test.each<readonly [string, unknown, readonly string[]]>([
  ['apiVersion', { apiVersion: null }, ['unknown field "data"', 'unknown field "metadata"']],
  ['apiVersion and kind', { apiVersion: '', kind: null }, ['unknown field "data"', 'unknown field "metadata"']],
  ['metadata', { metadata: null }, []],
  ['name', { metadata: { name: null } }, []],
])('a merge patch that takes away the %s', async (_sentence, patch, warnings) => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'cm' }, data: { a: 'b' } });
  const answer = await world.send('PATCH', `${configMaps}/cm`, patch, merge);
  expect([answer.code, answer.message, answer.warnings]).toEqual([400, nameless, warnings]);
});

test('a merge patch that takes away the apiVersion, under strict validation', async () => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'cm' } });
  const answer = await world.send('PATCH', `${configMaps}/cm?fieldValidation=Strict`, { apiVersion: null }, merge);
  expect(answer.code).toBe(422);
  expect(answer.message).toContain('strict decoding error: unknown field "metadata"');
});

test('a merge patch that takes away the kind alone changes nothing', async () => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'cm' } });
  expect((await world.send('PATCH', `${configMaps}/cm`, { kind: null }, merge)).code).toBe(200);
});

const twice = 'zoo: 1\nmetadata:\n  name: x\n  name: w\n  uvw: 1\nabc: 1\n';

test('YAML with a key given twice is warned of, and what is unknown comes in the order of the keys', async () => {
  const world = await createTestWorld();
  const answer = await world.send('POST', `${configMaps}?fieldValidation=Warn`, twice, yaml);
  expect([answer.code, answer.warnings]).toEqual([
    201,
    [
      'line 4: key "name" already set in map',
      'unknown field "abc"',
      'unknown field "metadata.uvw"',
      'unknown field "zoo"',
    ],
  ]);
});

test.each([
  ['Service', services, 422, 'Service "n" is invalid: spec.ports: Required value'],
  ['Pod', configMaps.replace('configmaps', 'pods'), 404, 'pods "n" not found'],
])('an apply to the status of a %s that is not there', async (kind, path, code, message) => {
  const world = await createTestWorld();
  const body = { apiVersion: 'v1', kind, metadata: { name: 'n' }, status: {} };
  const apply = { contentType: 'application/apply-patch+yaml' };
  const answer = await world.send('PATCH', `${path}/n/status?fieldManager=m`, body, apply);
  expect([answer.code, answer.message]).toEqual([code, message]);
});

/** Follows apiserver pkg/storage/continue.go EncodeContinue: what all keys begin with stays out. */
test.each([
  [configMaps, 'b\u0000'],
  ['/api/v1/configmaps', 'default/b\u0000'],
])('the continue token of %s', async (path, start) => {
  const world = await createTestWorld();
  for (const name of ['a', 'b', 'c']) await world.send('POST', configMaps, { metadata: { name } });
  const page = await world.send('GET', `${path}?limit=2`);
  const token = asString(asObject(page.body['metadata'])['continue']);
  expect(JSON.parse(Buffer.from(token, 'base64url').toString())).toMatchObject({ start });
  const rest = await world.send('GET', `${path}?limit=2&continue=${token}`);
  expect(asList(rest.body['items']).map((item) => asObject(asObject(item)['metadata'])['name'])).toEqual(['c']);
});

/** A Scale of 0 replicas does not show them: who applies 0 adds them. */
test('an apply of 0 replicas meets the owner of 0 replicas', async () => {
  const world = await createTestWorld();
  const sets = '/apis/apps/v1/namespaces/default/replicasets';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 0, selector: { matchLabels: { a: 'b' } }, template };
  await world.send('POST', `${sets}?fieldManager=first`, { metadata: { name: 'r' }, spec });
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'r' }, spec: { replicas: 0 } };
  const apply = { contentType: 'application/apply-patch+yaml' };
  const path = `${sets}/r/scale?fieldManager=second`;
  const refused = await world.send('PATCH', path, scale, apply);
  expect([refused.code, refused.message]).toEqual([
    409,
    'Apply failed with 1 conflict: conflict with "first" using autoscaling/v1: .spec.replicas',
  ]);
  expect((await world.send('PATCH', `${path}&force=true`, scale, apply)).code).toBe(200);
  expect((await world.send('PATCH', path, scale, apply)).code).toBe(200);
});
