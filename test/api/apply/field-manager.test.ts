import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asString, isJsonObject, type JsonObject, type JsonValue } from '../../../src/machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { parseApiVersion } from '../../../src/machinery/meta/gvk.ts';
import { createFieldManager } from '../../../src/api/apply/field-manager.ts';
import { loadRelease } from '../../../src/api/release/load-release.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';
import { createCustomValueType } from '../../../src/api/apply/custom-value-type.ts';
import { gizmoSchema } from '../../harness/custom-definition.ts';

const codec = recordedRelease.codec;
const fields = createFieldManager(codec);

function decoded(body: JsonValue): KubernetesObject {
  const sent = asKubernetesObject(body);
  if (!sent) throw new Error('no object');
  const result = codec.decodeValue(sent, { ...parseApiVersion(sent.apiVersion), kind: sent.kind });
  if (result.outcome !== 'decoded') throw new Error(result.error);
  return codec.applyDefaults(result.object);
}

interface Conversation {
  readonly case: {
    readonly steps: readonly { readonly do: string; readonly path: string; readonly body?: JsonValue }[];
  };
  readonly transcript: readonly { readonly step: string; readonly body?: JsonValue }[];
}

interface Creation {
  readonly title: string;
  readonly body: JsonValue;
  readonly managedFields: readonly JsonObject[];
}

const folder = 'test/facts/conversations';
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));

/** Every object that a conversation creates and that was answered with one manager. */
const creations: readonly Creation[] = files.flatMap((file) => {
  const conversation: Conversation = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return conversation.case.steps.flatMap(({ do: method, path, body }) => {
    const answer = conversation.transcript.find(({ step }) => step === `POST ${path}`);
    const [sent, received] = [asKubernetesObject(body), asKubernetesObject(answer?.body)];
    if (method !== 'POST' || !sent || !received || !isBuiltin(sent)) return [];
    const managedFields = managersIn(received, sent);
    return managedFields.length === 1
      ? [{ title: `${file}: ${sent.kind}`, body: withBundle(sent), managedFields }]
      : [];
  });
});

/** None when the answer is another object than the one sent. */
function managersIn({ metadata }: KubernetesObject, sent: KubernetesObject): readonly JsonObject[] {
  return metadata?.name === sent.metadata?.name ? (metadata?.managedFields ?? []) : [];
}

function isBuiltin({ apiVersion, kind }: KubernetesObject): boolean {
  return recordedRelease.types.typeOfKind({ ...parseApiVersion(apiVersion), kind }) !== undefined;
}

/** The recorder's placeholder for a certificate is no base64. */
function withBundle(body: JsonObject): JsonValue {
  const value: JsonValue = JSON.parse(JSON.stringify(body).replaceAll('$CA', 'QUJD'));
  return value;
}

test('conversations create objects', () => {
  expect(creations.length).toBeGreaterThan(50);
});

// Source: conversations recorded from kube-apiserver v1.36.2; the order of the keys counts.
test.each(creations)(
  'the creator owns what it sent and what was defaulted: $title',
  async ({ body, managedFields }) => {
    const manager = asString(managedFields[0]?.['manager']);
    const created = await fields.update({ live: null, object: decoded(body), manager, subresource: '', now: 0 });
    const [entry] = created.metadata?.managedFields ?? [];
    expect(JSON.stringify({ ...entry, time: '<time>' })).toBe(JSON.stringify(managedFields[0]));
  },
);

const configMap = (data: JsonObject, metadata: JsonObject = {}): KubernetesObject =>
  decoded({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ...metadata }, data });

const entry = (manager: string, data: JsonObject, time = '1970-01-01T00:00:00Z'): JsonObject => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': data },
});

const applied = (manager: string, data: JsonObject): JsonObject => ({ ...entry(manager, data), operation: 'Apply' });

interface Update {
  readonly live: KubernetesObject;
  readonly object: KubernetesObject;
  readonly manager?: string;
  readonly subresource?: string;
}

const a = { 'f:a': {} };
const live = configMap({ a: '1', b: '2' }, { managedFields: [applied('m1', { 'f:a': {}, 'f:b': {} })] });
const later = '1970-01-01T00:01:00Z';
const eleven = Array.from({ length: 11 }, (_, index) =>
  entry(`m${index}`, { [`f:k${index}`]: {} }, `1970-01-01T00:00:${String(index + 10)}Z`),
);

// Source: spec/kubectl.md section 15 and spec/ssa-vectors.json.
const updates: readonly [fact: string, update: Update, managedFields: readonly JsonObject[] | undefined][] = [
  [
    'who updates takes over what changed',
    { live, object: configMap({ a: '1', b: '3', c: '4' }) },
    [applied('m1', a), entry('upd', { 'f:b': {}, 'f:c': {} }, later)],
  ],
  [
    'an update that changes nothing leaves everybody and their times alone',
    { live, object: configMap({ a: '1', b: '2' }) },
    [applied('m1', { 'f:a': {}, 'f:b': {} })],
  ],
  ['removed fields have no owner', { live, object: configMap({ a: '1' }) }, [applied('m1', a)]],
  ['a manager without fields is gone', { live, object: configMap({ z: '1' }) }, [entry('upd', { 'f:z': {} }, later)]],
  [
    'updates of one manager add up',
    {
      live: configMap({ a: '1' }, { managedFields: [entry('upd', { '.': {}, ...a })] }),
      object: configMap({ a: '1', b: '2' }),
    },
    [entry('upd', { '.': {}, 'f:a': {}, 'f:b': {} }, later)],
  ],
  [
    'another subresource is another manager',
    { live, object: configMap({ a: '1', b: '3' }), subresource: 'status' },
    [applied('m1', a), { ...entry('upd', { 'f:b': {} }, later), subresource: 'status' }],
  ],
  ['what was never tracked stays so', { live: configMap({ a: '1' }), object: configMap({ a: '2' }) }, undefined],
  [
    'two empty entries are none',
    { live, object: configMap({ a: '1' }, { managedFields: [{}, {}] }) },
    [applied('m1', a)],
  ],
  [
    'one whose texts are empty clears all',
    { live, object: configMap({ a: '1' }, { managedFields: [{ manager: '', operation: '' }] }) },
    undefined,
  ],
  [
    'an entry with only a name is invalid',
    { live, object: configMap({ a: '1' }, { managedFields: [{ manager: 'x' }] }) },
    [applied('m1', a)],
  ],
  [
    'one without a name is one',
    { live, object: configMap({ a: '1' }, { managedFields: [{ ...entry('', a), manager: '' }] }) },
    [{ ...entry('', a), manager: undefined }],
  ],
  [
    'one without a version is none',
    { live, object: configMap({ a: '1' }, { managedFields: [{ ...entry('x', a), apiVersion: '' }] }) },
    [applied('m1', a)],
  ],
  ['one empty entry clears all', { live, object: configMap({ a: '1' }, { managedFields: [{}] }) }, undefined],
  [
    'entries that are none are ignored',
    { live, object: configMap({ a: '1', b: '2' }, { managedFields: [{ manager: 'x', operation: 'Nope' }] }) },
    [applied('m1', { 'f:a': {}, 'f:b': {} })],
  ],
  [
    'valid entries sent by the client replace those stored',
    { live, object: configMap({ a: '1', b: '2' }, { managedFields: [entry('mine', a)] }) },
    [entry('mine', a)],
  ],
  [
    'a manager without a name is unknown',
    { live, object: configMap({ z: '1' }), manager: '' },
    [entry('unknown', { 'f:z': {} }, later)],
  ],
  [
    'of more than ten the oldest two become one',
    { live: configMap({}, { managedFields: eleven.slice(0, 10) }), object: configMap({ n: '1' }) },
    [
      entry('ancient-changes', { 'f:k0': {}, 'f:k1': {} }, '1970-01-01T00:00:11Z'),
      ...eleven.slice(2, 10),
      entry('upd', { 'f:n': {}, '.': {} }, later),
    ],
  ],
];

test('a scale is written to the parent, by a manager of its own', async () => {
  const before = withReplicas(1, [
    { ...applied('m1', {}), apiVersion: 'apps/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
  ]);
  const after = await fields.update({
    live: before,
    object: withReplicas(2),
    manager: 'hpa',
    subresource: 'scale',
    now: 60_000,
  });
  expect(after.metadata?.managedFields).toEqual([
    {
      ...entry('hpa', {}, later),
      apiVersion: 'apps/v1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      subresource: 'scale',
    },
  ]);
});

function withReplicas(replicas: number, managedFields: readonly JsonObject[] = []): KubernetesObject {
  return decoded({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', managedFields },
    spec: { replicas },
  });
}

test.each(updates)('%s', async (_fact, { live: before, object, manager = 'upd', subresource = '' }, managedFields) => {
  const after = await fields.update({
    live: before && recordedRelease.codec.stored(before),
    object,
    manager,
    subresource,
    now: 60_000,
  });
  expect(after.metadata?.managedFields).toEqual(managedFields);
  expect(isJsonObject(after.metadata)).toBe(true);
});

const path = '/api/v1/namespaces/default/serviceaccounts';
const merge = { contentType: 'application/merge-patch+json' };
const named = { name: 'a' };

/** Who owns what after a create with these secrets, and after each change of them. */
async function owners(...secrets: readonly JsonValue[]): Promise<unknown[]> {
  const world = await createTestWorld();
  const [first, ...others] = secrets;
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'b' }, secrets: first };
  const answers = [await world.send('POST', path, account)];
  for (const next of others) answers.push(await world.send('PATCH', `${path}/b`, { secrets: next }, merge));
  return answers.map(({ body }) => at(body, 'metadata', 'managedFields', 0, 'fieldsV1', 'f:secrets'));
}

// Source: kube-apiserver v1.36.2; apimachinery pkg/util/managedfields/internal/fieldmanager.go UpdateNoErrors.
test.each<readonly [fact: string, secrets: readonly JsonValue[], owned: readonly unknown[]]>([
  ['created without a key', [[named, {}]], [undefined]],
  ['nor is it when it is changed', [[{}], [{}, named]], [undefined, undefined]],
  ['another field is no name', [[{ namespace: 'a' }]], [undefined]],
  ['all have names', [[named]], [{ '.': {}, 'k:{"name":"a"}': {} }]],
  [
    'an object that gets one loses its owners for good',
    [[named], [named, {}], [named]],
    [{ '.': {}, 'k:{"name":"a"}': {} }, undefined, undefined],
  ],
])('an item without the key of its list: %s', async (_fact, secrets, owned) => {
  expect(await owners(...secrets)).toEqual(owned);
});

// Source: apimachinery pkg/util/managedfields/internal/fieldmanager.go UpdateNoErrors of both releases.
test.each([
  ['1.36', undefined],
  ['1.37', [{ manager: 'before' }]],
])('%s: managedFields that cannot be updated are those of the stored object or none', async (name, managers) => {
  const { codec: releaseCodec } = await loadRelease(name);
  const gizmo = (rest: JsonObject): KubernetesObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Gizmo',
    metadata: { name: 'a' },
    ...rest,
  });
  const entry = {
    operation: 'Update',
    apiVersion: 'example.com/v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': {} },
  };
  const live = gizmo({ metadata: { name: 'a', managedFields: [{ manager: 'before', ...entry }] }, spec: 'no object' });
  const gizmoKind = { type: createCustomValueType(gizmoSchema), hasStatus: true };
  const updated = await createFieldManager(releaseCodec, () => gizmoKind).update({
    live,
    object: gizmo({ spec: { size: 1 } }),
    manager: 'm',
    subresource: '',
    now: 0,
  });
  expect(updated.metadata?.managedFields).toEqual(managers?.map((known) => ({ ...known, ...entry })));
});
