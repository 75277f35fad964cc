import { expect, test } from 'vitest';
import { createCustomValueType } from '../../../src/api/apply/custom-value-type.ts';
import { createConfigurationMerger, mergeValues } from '../../../src/api/apply/merge.ts';
import { deduced } from '../../../src/api/apply/value-type.ts';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const set = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
const holder = createCustomValueType({ type: 'object', properties: { set } });

// Source: structured-merge-diff typed/merge_test.go and typed/merge.go visitListItems
test.each<[what: string, live: string, applied: string, merged: string]>([
  ['what is only stored stays where it is', 'a b c', 'b', 'a b c'],
  ['what is new goes where it was applied', 'a c', 'a b c', 'a b c'],
  ['what is in both comes in the applied order', 'a b c', 'c a', 'b c a'],
  ['new ones before what is in both', 'a', 'x y a z', 'x y a z'],
  ['what is stored twice and applied is there once', 'a a', 'a', 'a'],
  ['also with others around it', 'x a y a z', 'a', 'x a y z'],
  ['its second place is passed, and what was applied next goes there', 'a a c', 'a x y', 'a x c y'],
  ['also when it moves', 'b a b c', 'c b', 'a c b'],
  ['a new one stands before what follows it, and that before what is only stored', 'a b y', 'a x b', 'a x b y'],
  ['two new ones before two that follow', 'a b c y', 'a x b z c', 'a x b z c y'],
  ['what is in both in another order, with one that is only stored', 'a c b y', 'a b c', 'a b y c'],
  ['the other way round', 'y a b c', 'c b a', 'y c b a'],
  ['nothing in both', 'a b', 'x y', 'a b x y'],
  ['what is stored twice and not applied stays twice', 'a b a', 'b', 'a b a'],
])('%s', (_what, live, applied, merged) => {
  const holding = (text: string) => ({ set: text.split(' ') });
  expect(mergeValues(holder, holding(live), holding(applied))).toEqual(holding(merged));
});

const list = { type: 'array', items: { type: 'string' } };
const texts = { type: 'object', additionalProperties: { type: 'string' } };
const all = createCustomValueType({
  type: 'object',
  properties: { set, list, map: texts, whole: { ...texts, 'x-kubernetes-map-type': 'atomic' } },
});

// Source: structured-merge-diff typed/merge.go doList and doMap: of what is empty on both sides the applied one stays.
test.each<[live: JsonObject, applied: JsonObject, merged: JsonObject]>([
  [{ set: [] }, { set: null }, { set: null }],
  [{ set: null }, { set: [] }, { set: [] }],
  [{ set: ['a'] }, { set: [] }, { set: ['a'] }],
  [{ set: ['a'] }, { set: null }, { set: ['a'] }],
  [{ set: [] }, { set: ['a'] }, { set: ['a'] }],
  [{ set: null }, { set: ['a'] }, { set: ['a'] }],
  [{ list: ['a', 'b'] }, { list: ['c'] }, { list: ['c'] }],
  [{ list: ['a', 'b'] }, { list: [] }, { list: [] }],
  [{ map: {} }, { map: null }, { map: null }],
  [{ map: null }, { map: {} }, { map: {} }],
  [{ map: { a: '1' } }, { map: null }, { map: { a: '1' } }],
  [{ map: { a: '1' } }, { map: { b: '2' } }, { map: { a: '1', b: '2' } }],
  [{ map: { a: '1' } }, { map: { a: '2' } }, { map: { a: '2' } }],
  [{ whole: { a: '1' } }, { whole: { b: '2' } }, { whole: { b: '2' } }],
  [{ whole: { a: '1' } }, { whole: {} }, { whole: {} }],
])('%j with %j over it is %j', (live, applied, merged) => {
  expect(mergeValues(all, live, applied)).toEqual(merged);
});

// Source: structured-merge-diff typed/merge.go doDeduced: what has no type is merged as what it is, if both are the same.
test.each<[live: JsonValue, applied: JsonValue, merged: JsonValue]>([
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
  ['text', { a: 1 }, { a: 1 }],
  [['x', 'y'], { a: 1 }, { a: 1 }],
  [{ a: 1 }, 'text', 'text'],
  [{ a: 1 }, null, null],
  [[1, 2], [3], [3]],
])('with an unknown type, %j with %j over it is %j', (live, applied, merged) => {
  expect(mergeValues(deduced, live, applied)).toEqual(merged);
});

const merge = createConfigurationMerger(
  recordedRelease.codec,
  ({ group }) => group !== 'apps',
  () => undefined,
);

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', labels: { a: '1' } },
  spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i', args: ['x'] }] },
};

// Source: apiserver pkg/admission/plugin/policy/mutating/patch/smd.go and smd_test.go
test.each<[fact: string, configuration: JsonObject, merged: JsonObject]>([
  ['nothing', {}, {}],
  ['a label', { metadata: { labels: { b: '2' } } }, { metadata: { name: 'p', labels: { a: '1', b: '2' } } }],
  ['another kind does not count', { apiVersion: 'v2', kind: 'Other' }, {}],
  ['a map that is null', { metadata: { labels: null } }, { metadata: { name: 'p', labels: { a: '1' } } }],
  ['a list that is null', { spec: { containers: null } }, {}],
  ['a struct that is null', { spec: null }, {}],
  [
    'an item with its key',
    { spec: { containers: [{ name: 'c', image: 'j' }] } },
    { spec: { nodeName: 'n', containers: [{ name: 'c', image: 'j', args: ['x'] }] } },
  ],
  [
    'an int-or-string',
    { spec: { containers: [{ name: 'c', livenessProbe: { httpGet: { port: 'http' } } }] } },
    {
      spec: {
        nodeName: 'n',
        containers: [{ name: 'c', image: 'i', args: ['x'], livenessProbe: { httpGet: { port: 'http' } } }],
      },
    },
  ],
])('a configuration of %s', (_fact, configuration, merged) => {
  expect(merge(pod, configuration)).toEqual({ outcome: 'merged', object: { ...pod, ...merged } });
});

const atomic = (paths: string): string =>
  `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths}`;
const untyped = (error: string): string => `failed to convert patch object to typed object: ${error}`;

test.each<[fact: string, configuration: JsonObject, error: string]>([
  [
    'an atomic list in an item',
    { spec: { containers: [{ name: 'c', args: [] }] } },
    atomic('.spec.containers[0].args'),
  ],
  [
    'of the second item',
    { spec: { containers: [{ name: 'c' }, { name: 'd', command: ['x'] }] } },
    atomic('.spec.containers[1].command'),
  ],
  ['an atomic map', { spec: { nodeSelector: {} } }, atomic('.spec.nodeSelector')],
  [
    'several',
    { spec: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k' }] } },
    atomic('.spec.nodeSelector, .spec.tolerations'),
  ],
  ['a field that is not declared', { spec: { other: 1 } }, untyped('.spec.other: field not declared in schema')],
])('a configuration of %s is refused', (_fact, configuration, error) => {
  expect(merge(pod, configuration)).toEqual({ outcome: 'failed', error: `error applying patch: ${error}` });
});

test('a kind that the published schema does not have has no type', () => {
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
  const error = `error applying patch: ${untyped('no corresponding type for apps/v1, Kind=Deployment')}`;
  expect(merge(deployment, {})).toEqual({ outcome: 'failed', error });
});
