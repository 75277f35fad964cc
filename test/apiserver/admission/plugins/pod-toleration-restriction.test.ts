import { expect, test } from 'vitest';
import {
  createPodTolerationRestriction,
  covers,
  mergeTolerations,
} from '../../../../src/apiserver/admission/plugins/pod-toleration-restriction.ts';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creatingPod, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const key = { key: 'k', operator: 'Exists' };
const other = { key: 'z', operator: 'Exists' };
const unlisted = { key: 'x', operator: 'Exists' };
const value = { key: 'k', operator: 'Equal', value: 'v' };
const pressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };
const requesting = { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] };

/** The namespace with these lists of its annotations. */
const namespace = (lists: Readonly<Record<string, string>>): KubernetesObject => {
  const entries = Object.entries(lists).map(([name, text]) => [`scheduler.alpha.kubernetes.io/${name}`, text]);
  return object('v1', 'Namespace', 'ns', { metadata: { name: 'ns', annotations: Object.fromEntries(entries) } });
};

const defaulting = createPodTolerationRestriction({ default: [other], whitelist: [] });
const listing = createPodTolerationRestriction({ default: [], whitelist: [other, key] });
const conflict = (scope: string): string =>
  `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;
const noList = (type: string): string => `json: cannot unmarshal ${type} into Go value of type []v1.Toleration`;
const tolerating = (...tolerations: readonly JsonObject[]): JsonObject => ({ tolerations });

interface Row {
  readonly spec: JsonObject;
  readonly lists?: Readonly<Record<string, string>>;
  readonly expected: JsonValue | undefined;
  readonly plugin?: typeof defaulting;
  readonly updates?: true;
}

// Source: kubernetes plugin/pkg/admission/podtolerationrestriction/admission_test.go; Go's encoding/json for the types.
const rows: Readonly<Record<string, Row>> = {
  'adds the default of the cluster': { spec: {}, expected: [other] },
  'adds it behind the tolerations of the Pod': { spec: tolerating(key), expected: [key, other] },
  'adds the default of the namespace instead': {
    spec: {},
    lists: { defaultTolerations: JSON.stringify([key, value]) },
    expected: [key],
  },
  'adds nothing when the default of the namespace is empty': {
    spec: {},
    lists: { defaultTolerations: '' },
    expected: undefined,
  },
  'adds nothing when it is null': { spec: {}, lists: { defaultTolerations: 'null' }, expected: undefined },
  'adds memory pressure for a Pod with requests': { spec: requesting, expected: [other, pressure] },
  'adds memory pressure without a default': {
    spec: requesting,
    lists: { defaultTolerations: '[]' },
    expected: [pressure],
  },
  'adds no default to an update': { spec: {}, updates: true, expected: undefined },
  'adds memory pressure to an update': {
    spec: { ...requesting, ...tolerating(key) },
    updates: true,
    expected: [key, pressure],
  },
  'admits listed tolerations': { spec: tolerating(key, other), plugin: listing, expected: [key, other] },
  'denies another': { spec: tolerating(key, unlisted), plugin: listing, expected: conflict('cluster') },
  'admits a Pod without tolerations': { spec: {}, plugin: listing, expected: undefined },
  'denies by the list of the namespace': {
    spec: tolerating(other),
    plugin: listing,
    lists: { tolerationsWhitelist: JSON.stringify([key]) },
    expected: conflict('namespace'),
  },
  'admits everything by an empty list of the namespace': {
    spec: tolerating(unlisted),
    plugin: listing,
    lists: { tolerationsWhitelist: '[]' },
    expected: [unlisted],
  },
  'fails for a boolean': {
    spec: tolerating(other),
    lists: { tolerationsWhitelist: 'true' },
    expected: noList('bool'),
  },
  'fails for a string': { spec: tolerating(other), lists: { tolerationsWhitelist: '"a"' }, expected: noList('string') },
  'fails for a number': { spec: {}, lists: { defaultTolerations: '7' }, expected: noList('number') },
  'fails for an object': { spec: {}, lists: { defaultTolerations: '{}' }, expected: noList('object') },
  'fails for text that is not JSON': {
    spec: {},
    lists: { defaultTolerations: 'nonsense' },
    expected: "invalid character 'o' in literal null (expecting 'u')",
  },
};

test.each(Object.entries(rows))('%s', (_fact, { spec, lists = {}, expected, plugin = defaulting, updates }) => {
  const update = { operation: 'UPDATE', oldObject: object('v1', 'Pod', 'p') } as const;
  const request = creatingPod(spec, updates && update);
  const cluster = clusterOf({ namespaces: [namespace(lists)] });
  expect(outcomeOf(plugin, 'mutate', { request, cluster, path: ['spec', 'tolerations'] })).toEqual(expected);
});

const leaving = (tolerationSeconds?: number): JsonObject => ({
  ...key,
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

// Source: kubernetes pkg/util/tolerations/tolerations.go isSuperset and tolerations_test.go TestIsSuperset
test.each<[wide: JsonObject, narrow: JsonObject, covered: boolean]>([
  [{ key: 'k', value: 'v' }, { key: 'k', value: 'v' }, true],
  [key, value, true],
  [key, { ...value, key: 'other' }, false],
  [{ operator: 'Exists' }, value, true],
  [{ key: '', operator: 'Exists' }, value, true],
  [{ operator: 'Equal', value: 'v' }, value, false],
  [{ value: 'v' }, value, false],
  [value, key, false],
  [{ key: 'k', value: 'v' }, value, true],
  [{ key: 'k', operator: '', value: 'v' }, value, true],
  [value, { key: 'k', value: 'v' }, false],
  [value, { ...value, value: 'w' }, false],
  [{ key: 'k', operator: 'Equal' }, { ...value, value: '' }, true],
  [{ ...value, operator: 'Lt' }, { ...value, operator: 'Equal' }, false],
  [{ ...value, operator: 'Lt' }, { ...value, operator: 'Lt', effect: 'NoExecute' }, false],
  [{ ...key, effect: 'NoSchedule' }, { ...value, effect: 'NoSchedule' }, true],
  [{ ...key, effect: 'NoSchedule' }, { ...value, effect: 'NoExecute' }, false],
  [{ ...key, effect: 'NoSchedule' }, value, false],
  [{ ...key, effect: '' }, { ...value, effect: 'NoExecute' }, true],
  [leaving(), leaving(5), true],
  [leaving(5), leaving(), false],
  [leaving(10), leaving(5), true],
  [leaving(5), leaving(10), false],
  [leaving(5), { ...leaving(5), operator: 'Equal', value: 'v' }, true],
  [leaving(0), { ...leaving(1), operator: 'Equal', value: 'v' }, false],
  [{ ...leaving(5), effect: 'NoSchedule' }, { ...leaving(10), effect: 'NoSchedule' }, true],
  [{ ...key, tolerationSeconds: 5 }, { ...leaving(10) }, true],
])('%j covers %j: %s', (wide, narrow, covered) => {
  expect(covers(wide, narrow)).toBe(covered);
});

const everything = { operator: 'Exists' };

// Source: kubernetes pkg/util/tolerations/tolerations.go MergeTolerations: the first of equal tolerations is kept.
test.each<[first: readonly JsonObject[], second: readonly JsonObject[], merged: readonly JsonObject[]]>([
  [[value, other], [value], [value, other]],
  [
    [other, value],
    [value, other],
    [other, value],
  ],
  [[value], [key, other], [key, other]],
  [[value, other], [key], [other, key]],
  [[key], [value, other], [key, other]],
  [[key, value], [everything], [everything]],
  [[leaving(10)], [leaving(20)], [leaving(20)]],
  [[leaving(20)], [leaving(10)], [leaving(20)]],
  [[], [value], [value]],
  [[], [], []],
])('%j with %j is %j', (first, second, merged) => {
  expect(mergeTolerations(first, second)).toEqual(merged);
});
