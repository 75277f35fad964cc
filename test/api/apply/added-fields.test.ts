import { expect, test } from 'vitest';
import { collectAddedFields, parseFieldSet, compareFields } from '../../../src/api/apply/compare.ts';
import { sortFieldSet } from '../../../src/api/apply/path-element.ts';
import { getValueTypes, deduced } from '../../../src/api/apply/value-type.ts';
import type { JsonValue, JsonObject } from '../../../src/machinery/json/json.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import { parseApiVersion } from '../../../src/machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { collectCreatedFields } from '../../../src/api/apply/update-managers.ts';
import { createFieldKinds } from '../../../src/api/apply/field-kinds.ts';
import { leaf, recursiveDifference, withoutMeta } from '../../../src/api/apply/field-set.ts';

const ports = getValueTypes(recordedRelease.types)('core.v1.Container');

/** The text, for the order counts: structured-merge-diff typed/compare.go and fieldpath/element.go. */
const rows: Readonly<Record<string, readonly [JsonValue, string]>> = {
  'fields stand by name': [{ name: 'c', image: 'i' }, '{".":{},"f:image":{},"f:name":{}}'],
  'elements stand by key, numbers by value': [
    { ports: [{ containerPort: 90 }, { containerPort: 8080 }, { containerPort: 443 }] },
    '{".":{},"f:ports":{".":{},' +
      '"k:{\\"containerPort\\":90,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}},' +
      '"k:{\\"containerPort\\":443,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}},' +
      '"k:{\\"containerPort\\":8080,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}}}}',
  ],
  'elements of one name are one leaf': [
    { env: [{ name: 'b' }, { name: 'a', value: '1' }, { name: 'b', value: '2' }] },
    '{".":{},"f:env":{".":{},"k:{\\"name\\":\\"a\\"}":{".":{},"f:name":{},"f:value":{}},"k:{\\"name\\":\\"b\\"}":{}}}',
  ],
  'what is empty or atomic is a leaf': [
    { env: [], resources: {}, args: ['x'] },
    '{".":{},"f:args":{},"f:env":{},"f:resources":{}}',
  ],
};

test.each(Object.entries(rows))('%s', (_fact, [value, text]) => {
  const fields = collectAddedFields(ports, value);
  expect(JSON.stringify(fields)).toBe(text);
  expect(sortFieldSet(JSON.parse(text))).toEqual(fields);
});

test('elements with two keys are named by both', () => {
  const pod = getValueTypes(recordedRelease.types)('core.v1.PodSpec');
  const topologySpreadConstraints = ['b', 'a'].map((topologyKey) => ({
    topologyKey,
    whenUnsatisfiable: 'DoNotSchedule',
  }));
  const named = (key: string): string =>
    `"k:{\\"topologyKey\\":\\"${key}\\",\\"whenUnsatisfiable\\":\\"DoNotSchedule\\"}"`;
  const inside = '{".":{},"f:topologyKey":{},"f:whenUnsatisfiable":{}}';
  expect(JSON.stringify(collectAddedFields(pod, { topologySpreadConstraints }))).toBe(
    `{".":{},"f:topologySpreadConstraints":{".":{},${named('a')}:${inside},${named('b')}:${inside}}}`,
  );
});

test('equal fields are one set', () => {
  expect(collectAddedFields(ports, { name: 'c', image: 'a' })).toBe(
    collectAddedFields(ports, { name: 'c', image: 'b' }),
  );
});

test('a key named as what objects inherit is a field', () => {
  expect(JSON.stringify(collectAddedFields(deduced, JSON.parse('{"__proto__":{"a":1}}')))).toBe(
    '{".":{},"f:__proto__":{".":{},"f:a":{}}}',
  );
});

test.each([24, 25, 60])('%i fields stand by name, whatever order they came in', (count) => {
  const names = Array.from({ length: count }, (_none, at) => `k${String(at).padStart(2, '0')}`);
  const value = Object.fromEntries(names.toReversed().map((name) => [name, 'v']));
  expect(Object.keys(collectAddedFields(deduced, value))).toEqual(['.', ...names.map((name) => `f:${name}`)]);
});

const named = (...names: readonly JsonValue[]): JsonValue => ({ env: names.map((name) => ({ name })) });
const inEnv = (...elements: readonly string[]): string =>
  `{".":{},"f:env":{".":{},${elements.map((element) => `${JSON.stringify(element)}:{".":{},"f:name":{}}`).join()}}}`;

// Source: structured-merge-diff typed/helpers.go keyedAssociativeListItemToPathElement.
test.each<[fact: string, value: JsonValue, text: string]>([
  ['one', named('a'), inEnv('k:{"name":"a"}')],
  ['two', named('b', 'a'), inEnv('k:{"name":"a"}', 'k:{"name":"b"}')],
  ['one that JSON escapes', named('"'), inEnv('k:{"name":"\\""}')],
  ['one that Go writes otherwise', named('a', '<'), inEnv('k:{"name":"\\u003c"}', 'k:{"name":"a"}')],
  ['one that is a number', named('a', 7), inEnv('k:{"name":7}', 'k:{"name":"a"}')],
  ['one that is empty', named('', 'a'), inEnv('k:{"name":""}', 'k:{"name":"a"}')],
])('elements are named by their key: %s', (_fact, value, text) => {
  expect(JSON.stringify(collectAddedFields(ports, value))).toBe(text);
});

test('elements without their key, and what is no map, have its default', () => {
  const element = JSON.stringify('k:{"name":""}');
  expect(JSON.stringify(collectAddedFields(ports, { env: [{ value: '1' }] }))).toBe(
    `{".":{},"f:env":{".":{},${element}:{".":{},"f:value":{}}}}`,
  );
  expect(JSON.stringify(collectAddedFields(ports, { env: ['x'] }))).toBe(`{".":{},"f:env":{".":{},${element}:{}}}`);
});

/** Texts not cached before, of `length` characters each. */
function* newTexts(length: number): Generator<string, never> {
  for (let at = 0; ; at += 1) {
    const start = `{"f:${length}-${at}-`;
    yield `${start}${'x'.repeat(length - start.length - 5)}":{}}`;
  }
}

/** How many more texts are asked for until the first is forgotten. Two others are there then: what was asked for last. */
function keptOf(length: number): number {
  const texts = newTexts(length);
  const askedUntilForgotten = (): number => {
    const first = texts.next().value;
    const set = parseFieldSet(first);
    for (let count = 1; ; count += 1) {
      const later = texts.next().value;
      parseFieldSet(later);
      if (parseFieldSet(first) !== set) return count;
    }
  };
  askedUntilForgotten();
  return askedUntilForgotten();
}

// Ours: sets of equal texts are one set, as far as there is room.
test('1,000 sets are kept, and of long texts 4 MiB; one of more than 64 KiB is not', () => {
  expect(keptOf(100)).toBe(1000 - 2);
  expect(keptOf(64 * 1024)).toBe(64 - 2);
  const [longest, tooLong] = [newTexts(64 * 1024).next().value, newTexts(64 * 1024 + 1).next().value];
  expect([
    parseFieldSet(longest) === parseFieldSet(longest),
    parseFieldSet(tooLong) === parseFieldSet(tooLong),
  ]).toEqual([true, false]);
});

const { codec } = recordedRelease;
const kinds = createFieldKinds(codec, () => undefined);

function arrived(object: KubernetesObject): KubernetesObject {
  const kind = { ...parseApiVersion(object.apiVersion), kind: object.kind };
  const decoded = codec.decodeValue(object, kind);
  if (decoded.outcome !== 'decoded') throw new Error(decoded.error);
  return codec.applyDefaults(decoded.object);
}

/** What is owned of it, written as text and as the general comparison says. */
function bothWays(object: KubernetesObject): readonly [written: string, compared: string] {
  const after = arrived(object);
  const { type, emptyObject, reset } = kinds.find(after.apiVersion, after.kind);
  if (!type) throw new Error(`unknown kind ${after.kind}`);
  const written = collectCreatedFields({ type, before: emptyObject, after, reset: reset('') });
  const { changed = leaf } = compareFields(type, emptyObject, after);
  const compared = sortFieldSet(withoutMeta(recursiveDifference(changed, reset(''))));
  return [JSON.stringify(written), JSON.stringify(compared)];
}

const made = (apiVersion: string, kind: string, fields: JsonObject): KubernetesObject => ({
  kind,
  apiVersion,
  metadata: { name: 'one', namespace: 'default' },
  ...fields,
});

/** A Pod with variables, ports, probes and amounts. */
const pod = (name: string): KubernetesObject =>
  made('v1', 'Pod', {
    metadata: { name, namespace: 'default', labels: { tier: 'front', app: 'shop' } },
    spec: {
      containers: ['shop', 'proxy'].map((container, at) => ({
        name: container,
        image: `registry.example.com/${container}`,
        args: ['--verbose'],
        ports: [{ name: 'http', containerPort: 8080 + at }],
        env: ['B', 'A', 'C'].map((variable) => ({ name: variable, value: container })),
        resources: { requests: { memory: '1Gi', cpu: '100m' } },
        readinessProbe: { httpGet: { path: '/', port: 'http' } },
      })),
    },
  });

const service = (...ports: readonly JsonObject[]): KubernetesObject => made('v1', 'Service', { spec: { ports } });

const objects: readonly [what: string, object: KubernetesObject][] = [
  ['a Pod of three containers', pod('p')],
  ['a Pod that says nothing', made('v1', 'Pod', { spec: { containers: [] } })],
  ['a Pod with a status, which is reset', made('v1', 'Pod', { spec: {}, status: { phase: 'Running' } })],
  [
    'containers of one name, which are a leaf together',
    made('v1', 'Pod', { spec: { containers: [{ name: 'a', image: 'x' }, { name: 'a' }, { name: 'b' }] } }),
  ],
  ['an object with its name alone', made('v1', 'ConfigMap', {})],
  [
    'keys that JSON escapes, and names of objects',
    made('v1', 'ConfigMap', { data: { 'a"b': '1', '\u2028': '2', ['__proto__']: '3', constructor: '4', Ä: '5' } }),
  ],
  ['an empty map and an empty list', made('v1', 'ConfigMap', { data: {}, metadata: { name: 'a', finalizers: [] } })],
  [
    'a set, labels and owners',
    made('v1', 'ConfigMap', {
      metadata: {
        name: 'a',
        labels: { b: '', a: '' },
        finalizers: ['x/b', 'x/a'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }],
      },
    }),
  ],
  [
    'ports with two keys, one of them a number',
    service({ port: 443, name: 'b' }, { port: 80, name: 'a' }, { port: 9 }),
  ],
  [
    'a Deployment, whose struct holds structs that are always printed',
    made('apps/v1', 'Deployment', {
      spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: {} } },
    }),
  ],
  [
    'webhooks',
    made('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', { webhooks: [{ name: 'a' }] }),
  ],
  [
    'webhooks that are none',
    made('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', { webhooks: [] }),
  ],
  ['a RawExtension', made('apps/v1', 'ControllerRevision', { data: { a: { b: [1] } }, revision: 0 })],
  ['a list that is printed when it is null', made('rbac.authorization.k8s.io/v1', 'Role', { rules: [] })],
];

test.each(objects)('%s is owned as the comparison with nothing says', (_what, object) => {
  const [written, compared] = bothWays(object);
  expect(written).toBe(compared);
  expect(bothWays(object)[0]).toBe(compared); // The second time the set is known.
});

test('equal ones share a set, those of which another endpoint resets more do not', () => {
  const after = arrived(pod('p'));
  const { type, emptyObject: before, reset } = kinds.find('v1', 'Pod');
  if (!type) throw new Error('no Pods');
  const owned = (what: string): unknown => collectCreatedFields({ type, before, after, reset: reset(what) });
  expect(owned('')).toBe(collectCreatedFields({ type, before, after: arrived(pod('q')), reset: reset('') }));
  expect(JSON.stringify(owned('status'))).not.toContain('f:spec');
  expect(JSON.stringify(owned(''))).toContain('f:spec');
});
