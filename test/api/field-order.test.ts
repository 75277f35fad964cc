import { expect, test } from 'vitest';
import { asObject, type JsonObject } from '../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../src/machinery/meta/object.ts';
import { recordedRelease } from '../harness/recorded-release.ts';

const { inFieldOrder } = recordedRelease.codec;

const podWith = (spec: JsonObject, fields: JsonObject = {}): KubernetesObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  ...fields,
  spec,
});

// Source: k8s.io/api core/v1/types.go, the order of whose fields Go's encoder keeps.
test.each<[fact: string, spec: JsonObject, printed: string]>([
  ['fields of a struct stand as they are declared', { nodeName: 'n', volumes: [] }, '{"volumes":[],"nodeName":"n"}'],
  [
    'those of a struct in a list, too',
    { containers: [{ image: 'i', name: 'a' }, { name: 'b' }] },
    '{"containers":[{"name":"a","image":"i"},{"name":"b"}]}',
  ],
  ['keys of a map are sorted', { nodeSelector: { b: '1', a: '2' } }, '{"nodeSelector":{"a":"2","b":"1"}}'],
  ['a field set to undefined is gone', { nodeName: undefined, hostname: 'h' }, '{"hostname":"h"}'],
  ['a field that this release does not have is gone', { unheardOf: 1, hostname: 'h' }, '{"hostname":"h"}'],
])('%s', (_fact, spec, printed) => {
  expect(JSON.stringify(inFieldOrder(podWith(spec))['spec'])).toBe(printed);
});

test('kind and apiVersion come first, spec after metadata', () => {
  const ordered = inFieldOrder({ spec: {}, metadata: { name: 'p' }, apiVersion: 'v1', kind: 'Pod' });
  expect(Object.keys(ordered)).toEqual(['kind', 'apiVersion', 'metadata', 'spec']);
});

test('what is in order is the same object, and so are the parts that are', () => {
  const good = podWith({ volumes: [], containers: [] }, { metadata: { name: 'p' } });
  expect(inFieldOrder(good)).toBe(good);
  const mixed = podWith(
    { nodeName: 'n', containers: asObject(good['spec'])['containers'] },
    good.metadata ? { metadata: good.metadata } : {},
  );
  expect(inFieldOrder(mixed).metadata).toBe(good.metadata);
});

test('what the object shares with the one before is not looked at', () => {
  const spec = { nodeName: 'n', volumes: [] };
  const before = podWith(spec);
  expect(inFieldOrder(podWith(spec, { metadata: {} }), before)['spec']).toBe(spec);
});

test('an unknown kind is not changed', () => {
  const own = { spec: { b: 1, a: 2 }, kind: 'Own', apiVersion: 'example.com/v1' };
  expect(inFieldOrder(own)).toBe(own);
});
