import { expect, test } from 'vitest';
import {
  covers,
  mergeTolerations,
} from '../../../../src/apiserver/admission/plugins/pod-toleration-restriction/merge-tolerations.ts';
import { createPodTolerationRestriction } from '../../../../src/apiserver/admission/plugins/pod-toleration-restriction/pod-toleration-restriction.ts';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const key = { key: 'k', operator: 'Exists' };
const value = { key: 'k', operator: 'Equal', value: 'v' };
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

const other = { key: 'z', operator: 'Exists' };

// Source: the same, MergeTolerations: of equal ones the first stays.
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
  [[], [value], [value]],
  [[], [], []],
])('%j with %j is %j', (first, second, merged) => {
  expect(mergeTolerations(first, second)).toEqual(merged);
});

const annotation = (name: string): string => `scheduler.alpha.kubernetes.io/${name}`;
const inNamespace = (said: Readonly<Record<string, string>>): Record<string, readonly KubernetesObject[]> => ({
  namespaces: [
    object('v1', 'Namespace', 'ns', {
      metadata: {
        name: 'ns',
        annotations: Object.fromEntries(Object.entries(said).map(([name, text]) => [annotation(name), text])),
      },
    }),
  ],
});
const pod = (spec: JsonObject) => creating(object('v1', 'Pod', 'p', { spec }), 'pods');
const pressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };
const asking = { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] };
const free = createPodTolerationRestriction({ default: [other], whitelist: [] });
const strict = createPodTolerationRestriction({ default: [], whitelist: [other, key] });
const refused = (scope: string): string =>
  `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;

interface Row {
  readonly spec: JsonObject;
  readonly said?: Readonly<Record<string, string>>;
  readonly expected: JsonValue | undefined;
  readonly plugin?: typeof free;
  readonly updates?: true;
}

// Source: kubernetes plugin/pkg/admission/podtolerationrestriction/admission_test.go; Go's encoding/json names types so.
const rows: Readonly<Record<string, Row>> = {
  'what is tolerated everywhere is added': { spec: {}, expected: [other] },
  'behind what the pod tolerates': { spec: { tolerations: [key] }, expected: [key, other] },
  'what the namespace says instead': {
    spec: {},
    said: { defaultTolerations: JSON.stringify([key, value]) },
    expected: [key],
  },
  'a namespace may say nothing': { spec: {}, said: { defaultTolerations: '' }, expected: undefined },
  'null says that there are none': { spec: {}, said: { defaultTolerations: 'null' }, expected: undefined },
  'who asks for resources tolerates pressure too': { spec: asking, expected: [other, pressure] },
  'who asks for resources, where nothing is said': {
    spec: asking,
    said: { defaultTolerations: '[]' },
    expected: [pressure],
  },
  'an update adds nothing': { spec: {}, updates: true, expected: undefined },
  'but pressure': { spec: { ...asking, tolerations: [key] }, updates: true, expected: [key, pressure] },
  'each must be listed': { spec: { tolerations: [key, other] }, plugin: strict, expected: [key, other] },
  'one that is not is refused': {
    spec: { tolerations: [key, { key: 'x', operator: 'Exists' }] },
    plugin: strict,
    expected: refused('cluster'),
  },
  'none needs no list': { spec: {}, plugin: strict, expected: undefined },
  'a list of the namespace': {
    spec: { tolerations: [other] },
    plugin: strict,
    said: { tolerationsWhitelist: JSON.stringify([key]) },
    expected: refused('namespace'),
  },
  'an empty list of the namespace allows all': {
    spec: { tolerations: [{ key: 'x', operator: 'Exists' }] },
    plugin: strict,
    said: { tolerationsWhitelist: '[]' },
    expected: [{ key: 'x', operator: 'Exists' }],
  },
  'a list that is a boolean': {
    spec: { tolerations: [other] },
    said: { tolerationsWhitelist: 'true' },
    expected: 'json: cannot unmarshal bool into Go value of type []v1.Toleration',
  },
  'a list that is a text': {
    spec: { tolerations: [other] },
    said: { tolerationsWhitelist: '"a"' },
    expected: 'json: cannot unmarshal string into Go value of type []v1.Toleration',
  },
  'a list that is a number': {
    spec: {},
    said: { defaultTolerations: '7' },
    expected: 'json: cannot unmarshal number into Go value of type []v1.Toleration',
  },
  'a list that is an object': {
    spec: {},
    said: { defaultTolerations: '{}' },
    expected: 'json: cannot unmarshal object into Go value of type []v1.Toleration',
  },
};

test.each(Object.entries(rows))('%s', (_fact, { spec, said = {}, expected, plugin = free, updates }) => {
  const request = updates
    ? { ...pod(spec), operation: 'UPDATE' as const, oldObject: object('v1', 'Pod', 'p') }
    : pod(spec);
  const path = ['spec', 'tolerations'];
  expect(outcomeOf(plugin, 'mutate', { request, cluster: clusterOf(inNamespace(said)), path })).toEqual(expected);
});
