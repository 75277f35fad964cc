import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
const configMaps = '/api/v1/namespaces/default/configmaps';

const nested: readonly [shape: string, value: (levels: number) => string][] = [
  ['lists', (levels) => `${'['.repeat(levels)}1${']'.repeat(levels)}`],
  ['objects', (levels) => `${'{"a":'.repeat(levels)}1.0${'}'.repeat(levels)}`],
];

/** A body with the value in it. */
const requests: readonly [
  what: string,
  method: string,
  path: string,
  contentType: string,
  body: (value: string) => string,
][] = [
  ['an object', 'POST', revisions, 'application/json', (value) => revision('a', value)],
  ['YAML', 'POST', revisions, 'application/yaml', (value) => revision('b', value)],
  ['a merge patch', 'PATCH', `${revisions}/r`, 'application/merge-patch+json', (value) => `{"data":${value}}`],
  [
    'a strategic merge patch',
    'PATCH',
    `${revisions}/r`,
    'application/strategic-merge-patch+json',
    (value) => `{"data":${value}}`,
  ],
  [
    'a strategic merge patch of a list',
    'PATCH',
    `${configMaps}/c`,
    'application/strategic-merge-patch+json',
    (value) => `{"metadata":{"ownerReferences":${value}}}`,
  ],
  [
    'a JSON patch',
    'PATCH',
    `${revisions}/r`,
    'application/json-patch+json',
    (value) => `[{"op":"add","path":"/data","value":${value}}]`,
  ],
  [
    'an apply configuration',
    'PATCH',
    `${revisions}/s?fieldManager=m&force=true`,
    'application/apply-patch+yaml',
    (value) => revision('s', value),
  ],
  ['managed fields', 'PUT', `${configMaps}/c`, 'application/json', (value) => managed(value)],
  [
    'an unknown field',
    'POST',
    `${configMaps}?dryRun=All`,
    'application/json',
    (value) => `{"metadata":{"name":"d"},"x":${value}}`,
  ],
  ['options', 'DELETE', `${configMaps}/c?dryRun=All`, 'application/json', (value) => `{"x":${value}}`],
];

const revision = (name: string, value: string): string =>
  `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"${name}"},"revision":1,"data":${value}}`;

const managed = (value: string): string =>
  `{"metadata":{"name":"c","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${value}}]}}`;

// 480 levels and what is around them are read; what looks at them must not run out of stack. More are refused.
test.each(requests)('%s of many levels is no bug', async (...request) => {
  const [, method, path, contentType, body] = request;
  for (const [, value] of nested) {
    for (const levels of [480, 5000, 50_000]) {
      const world = await createTestWorld();
      await world.send('POST', revisions, revision('r', '{}'));
      await world.send('POST', configMaps, { metadata: { name: 'c' } });
      await world.send(method, path, body(value(levels)), { contentType });
      await world.send(method, path, body(value(levels)), { contentType });
      expect(world.bugs).toEqual([]);
      expect((await world.send('GET', revisions)).code).toBe(200);
    }
  }
});
