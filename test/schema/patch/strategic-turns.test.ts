import { expect, test } from 'vitest';
import { inTurns } from '../../../src/apimachinery/in-turns.ts';
import type { JsonObject } from '../../../src/apimachinery/json.ts';
import type { Pause } from '../../../src/apimachinery/pause.ts';
import { patchSchemasOf } from '../../../src/schema/patch/patch-schema.ts';
import { applyStrategicMerge } from '../../../src/schema/patch/strategic-merge.ts';
import { restoreFromMaps } from '../../../src/schema/patch/restore-from-maps.ts';
import { currentRelease } from '../../../src/schema/release/current-release.ts';

// A strategic merge of large maps is left between their fields, and comes to what it comes to at once.

const { types } = currentRelease.codec;
const schemaOf = (version: string, kind: string) => {
  const [group = '', name = version] = version.includes('/') ? version.split('/') : ['', version];
  const type = types.typeOfKind({ group, version: name, kind }) ?? '';
  const schema = patchSchemasOf(types)(type);
  if (!schema) throw new Error(`${type} has no schema`);
  return { type, schema };
};
const map = schemaOf('v1', 'ConfigMap');
const deployment = schemaOf('apps/v1', 'Deployment');
const fields = (length: number, value: string): { readonly [field: string]: string } =>
  Object.fromEntries(Array.from({ length }, (_none, at) => [`k${at}`, value]));
const containers = (length: number, env: JsonObject, more: JsonObject = {}): JsonObject[] =>
  Array.from({ length }, (_none, at) => ({ name: `c${at}`, ...more, resources: { limits: env } }));
const inTemplate = (list: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  spec: { template: { spec: { containers: list, ...more } } },
});

const names = (of: string): string[] => Array.from({ length: 300 }, (_none, at) => `example.com/${of}${at}`);

type Schema = ReturnType<typeof schemaOf>;

const merges: Readonly<Record<string, readonly [Schema, document: JsonObject, patch: JsonObject]>> = {
  'a map over few fields': [map, { data: { a: 'b' } }, { data: fields(300, 'v') }],
  'a map over a map': [map, { data: fields(300, 'v') }, { data: { ...fields(200, 'w'), k9: null } }],
  'fields that nobody knows': [map, {}, { ...fields(300, 'v'), data: { a: 'b' } }],
  'values of a list': [map, { metadata: { finalizers: names('a') } }, { metadata: { finalizers: names('b') } }],
  'values of a list, to be deleted': [
    map,
    { metadata: { finalizers: names('a') } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': [...names('a').slice(1), ...names('b')] } },
  ],
  'elements that are new, others that are there, and some that go': [
    deployment,
    inTemplate(containers(60, {})),
    inTemplate([
      ...containers(10, {}).map(({ name = '' }): JsonObject => ({ name, $patch: 'delete' })),
      ...containers(90, { cpu: '1' }).slice(5),
      ...containers(90, { cpu: '2' }).slice(80),
    ]),
  ],
  'maps in elements': [
    deployment,
    inTemplate(containers(40, fields(40, '1'))),
    inTemplate(containers(50, fields(50, '2'), { image: 'i' }), {
      '$setElementOrder/containers': containers(50, {}).map(({ name = '' }) => ({ name })),
    }),
  ],
};

function alwaysLate(): Pause & { readonly asked: () => number } {
  let [now, asked] = [0, 0];
  const pause = (): undefined => void (asked += 1);
  return Object.assign(pause, { now: () => (now += 100), asked: () => asked });
}

test.each(Object.entries(merges))('%s', (_what, [{ type, schema }, document, patch]) => {
  const merge = (): unknown => {
    const merged = applyStrategicMerge(document, patch, schema);
    return merged.outcome === 'merged' ? restoreFromMaps(types, merged.document, type) : merged;
  };
  const late = alwaysLate();
  expect(inTurns(merge, late)).toEqual(merge());
  expect(merge()).toMatchObject({ outcome: 'restored' });
  // Each field is merged and restored in a turn of its own.
  expect(late.asked()).toBeGreaterThan(500);
});

test('an element without its key before long lists is told in turns as at once', () => {
  const document = inTemplate(containers(60, {}), { volumes: containers(60, {}) });
  const more = { volumes: containers(90, {}), extra: fields(300, 'v') };
  const patch = inTemplate([...containers(40, { cpu: '1' }), {}], more);
  const merge = (): unknown => applyStrategicMerge(document, patch, deployment.schema);
  const late = alwaysLate();
  expect(inTurns(merge, late)).toEqual(merge());
  expect(merge()).toMatchObject({ outcome: 'failed', error: expect.stringContaining('merge key') });
  expect(late.asked()).toBeGreaterThan(40);
});
