import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { createConfigurationMerger } from '../../../src/api/apply/merge-configuration.ts';
import { currentRelease } from '../../../src/api/release/current-release.ts';

const merge = createConfigurationMerger(
  currentRelease.codec,
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
