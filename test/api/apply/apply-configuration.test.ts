import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { asObject, asString, type JsonObject, type JsonValue } from '../../../src/machinery/json/json.ts';
import { parseApiVersion, type GroupVersionKind } from '../../../src/machinery/meta/gvk.ts';
import { applyJsonPatch } from '../../../src/machinery/patch/json-patch.ts';
import { decodePatch } from '../../../src/machinery/patch/json-patch-decode.ts';
import { plainValue } from '../../../src/machinery/json/json-reader.ts';
import { applyMergePatch } from '../../../src/machinery/patch/merge-patch.ts';
import { asKubernetesObject, withMetadata, type KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { createCustomValueType } from '../../../src/api/apply/custom-value-type.ts';
import type { CustomKind } from '../../../src/api/apply/field-kinds.ts';
import { createFieldManager, type FieldManager } from '../../../src/api/apply/field-manager.ts';
import type { Codec } from '../../../src/api/codec/codec.ts';
import { gizmoSchema } from '../../harness/custom-definition.ts';
import recorded from '../../facts/vectors/server-side-apply.json' with { type: 'json' };
import { recordedRelease } from '../../harness/recorded-release.ts';
import type { FieldSet } from '../../../src/api/apply/field-set.ts';
import { checkLastApplied, setLastApplied } from '../../../src/api/apply/apply-configuration.ts';
import type { Manager } from '../../../src/api/apply/managed-fields.ts';
import { getValueTypes } from '../../../src/api/apply/value-type.ts';

interface Step {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: JsonValue;
  readonly status: number;
  readonly response: JsonObject;
}

interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Knows the one custom kind of the scenarios besides. */
const builtins = recordedRelease.codec;
const codec: Codec = {
  ...builtins,
  decodeValue: (value, kind) => {
    const object = asKubernetesObject(plainValue(value));
    return kind.kind === 'Gizmo' && object
      ? { outcome: 'decoded', object, strict: [] }
      : builtins.decodeValue(value, kind);
  },
  applyDefaults: (object) =>
    object.kind === 'Gizmo'
      ? { ...object, spec: { size: 1, ...asObject(object['spec']) } }
      : builtins.applyDefaults(object),
};

const gizmoKind: CustomKind = { type: createCustomValueType(gizmoSchema), hasStatus: true };

const scenarios: readonly Scenario[] = JSON.parse(JSON.stringify(recorded.scenarios));

/** What happens outside the field manager is not played here: the scale endpoint, controllers, and checks of the request. */
const elsewhere = (step: Step): boolean =>
  step.path.includes('/scale?') ||
  JSON.stringify(step.response).includes('kube-controller-manager') ||
  step.status === 400 ||
  step.status === 422;

const playable = scenarios.filter(({ steps }) => !steps.some(elsewhere));

test('most scenarios are played', () => {
  expect(playable.length).toBeGreaterThan(10);
});

// Source: server-side applies recorded from kube-apiserver v1.36.2.
test.each(playable)('$name', async ({ steps }) => {
  const fields = createFieldManager(codec, ({ kind }) => (kind === 'Gizmo' ? gizmoKind : undefined));
  let live: KubernetesObject | null = null;
  for (const [at, step] of steps.entries()) {
    const outcome: Outcome = await play(fields, step, { live, now: 1000 + at });
    expect(outcome.shown, `step ${at + 1}`).toEqual(shown(step.response));
    if (outcome.object) live = stored(codec.stored(outcome.object), at);
  }
});

interface Outcome {
  readonly object?: KubernetesObject;
  readonly shown: JsonValue;
}

interface Before {
  readonly live: KubernetesObject | null;
  readonly now: number;
}

async function play(fields: FieldManager, step: Step, before: Before): Promise<Outcome> {
  const manager = new URL(step.path, 'http://host').searchParams.get('fieldManager') ?? '';
  const force = step.path.includes('force=true');
  const subresource = step.path.includes('/status?') ? 'status' : '';
  const body: JsonValue = typeof step.body === 'string' ? parse(step.body, { uniqueKeys: false }) : (step.body ?? null);
  if (step.contentType?.includes('apply-patch')) {
    const kind = kindOf(step, body, before.live);
    const live = before.live && versionOf(before.live, kind);
    const applied = await fields.apply({
      live,
      patch: asObject(body),
      kind,
      manager,
      subresource,
      force,
      now: before.now,
    });
    return applied.ok
      ? { object: applied.value, shown: shown(codec.printed(applied.value)) }
      : { shown: shown(applied.status) };
  }
  const object = decoded(changed(step, body, before.live));
  const updated = await fields.update({ ...before, object, manager, subresource });
  return { object: updated, shown: shown(updated) };
}

function kindOf({ path }: Step, body: JsonValue, live: KubernetesObject | null): GroupVersionKind {
  const kind = live?.kind ?? asString(asObject(body)['kind']);
  const [, , group = '', version = ''] = path.split('/');
  return path.startsWith('/api/') ? { group: '', version: 'v1', kind } : { group, version, kind };
}

function versionOf(object: KubernetesObject, kind: GroupVersionKind): KubernetesObject {
  const converted = builtins.convertNow(object, kind);
  if (converted.outcome !== 'converted') throw new Error(converted.error);
  return converted.object;
}

function changed({ contentType }: Step, body: JsonValue, live: KubernetesObject | null): JsonValue {
  if (contentType?.includes('merge-patch')) {
    const merged: JsonValue = JSON.parse(JSON.stringify(applyMergePatch(live, body)));
    return merged;
  }
  if (!contentType?.includes('json-patch')) return body;
  const patch = decodePatch(JSON.stringify(body));
  const patched = patch.outcome === 'decoded' ? applyJsonPatch(live, patch.patch) : patch;
  if (patched.outcome !== 'patched') throw new Error(patched.outcome);
  const document: JsonValue = JSON.parse(JSON.stringify(patched.document));
  return document;
}

function decoded(body: JsonValue): KubernetesObject {
  const sent = asKubernetesObject(body);
  if (!sent) throw new Error('no object');
  const result = codec.decodeValue(sent, { ...parseApiVersion(sent.apiVersion), kind: sent.kind });
  if (result.outcome !== 'decoded') throw new Error(result.error);
  return codec.applyDefaults(result.object);
}

/** The object as the store has it. */
const stored = (object: KubernetesObject, at: number): KubernetesObject =>
  withMetadata(decoded(object), { uid: 'u', resourceVersion: String(at), creationTimestamp: '2026-01-01T00:00:00Z' });

/** What the field manager decides: a Status, or the managers, their times as `<time>`. */
function shown(answer: JsonObject): JsonValue {
  if (answer['kind'] === 'Status') return answer;
  const { managedFields } = asObject(answer['metadata']);
  const content = answer['kind'] === 'Gizmo' ? answer['spec'] : answer['data'];
  if (!Array.isArray(managedFields)) return { managedFields: null, content: content ?? null };
  const entries: readonly JsonObject[] = managedFields;
  return {
    managedFields: entries.map((entry) => (entry['time'] === undefined ? entry : { ...entry, time: '<time>' })),
    content: content ?? null,
  };
}

// Source: applies beside kube-apiserver v1.36.2.
test.each([
  ['a number for a time', { renewTime: 1 }, 'json: cannot unmarshal number into Go value of type string'],
  [
    'text that is no time',
    { renewTime: 'x' },
    'parsing time "x" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "x" as "2006"',
  ],
])('%s cannot become a field of a built-in kind', async (_fact, spec, error) => {
  const kind = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' };
  const patch = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' }, spec };
  const fields = createFieldManager(codec);
  const applied = await fields.apply({ live: null, patch, kind, manager: 'm', subresource: '', force: false, now: 0 });
  expect(applied).toMatchObject({
    ok: false,
    status: {
      message: `failed to convert new object (/a; coordination.k8s.io/v1, Kind=Lease) to proper version: unable to convert unstructured object to coordination.k8s.io/v1, Kind=Lease: ${error}`,
    },
  });
});

// Source: the same; apimachinery pkg/runtime/converter.go fromUnstructured.
test.each<[spec: JsonObject, stored: JsonObject | string]>([
  [{ replicas: 3_000_000_000 }, { replicas: -1_294_967_296 }],
  [{ revisionHistoryLimit: 4_294_967_297 }, { revisionHistoryLimit: 1 }],
  [{ replicas: 1e30 }, { replicas: 0 }],
  [{ replicas: 2.5 }, 'cannot convert float64 to int32'],
  [{ template: { spec: { terminationGracePeriodSeconds: 1.5 } } }, 'cannot convert float64 to int64'],
  [
    { strategy: { rollingUpdate: { maxSurge: 3_000_000_000 } } },
    'json: cannot unmarshal number 3000000000 into Go value of type int32',
  ],
])('%j is converted as Go converts numbers', async (spec, stored) => {
  const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
  const patch = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec };
  const fields = createFieldManager(codec);
  const applied = await fields.apply({ live: null, patch, kind, manager: 'm', subresource: '', force: false, now: 0 });
  const text =
    'failed to convert new object (/a; apps/v1, Kind=Deployment) to proper version: unable to convert unstructured object to apps/v1, Kind=Deployment: ';
  expect(applied).toMatchObject(
    typeof stored === 'string'
      ? { ok: false, status: { message: text + stored } }
      : { ok: true, value: { spec: stored } },
  );
});

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

const written = (patch: JsonObject, before = '{}'): string | undefined =>
  setLastApplied(
    { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c', annotations: { [annotation]: before } } },
    patch,
  ).metadata?.annotations?.[annotation];

/** Follows apimachinery pkg/util/managedfields/internal/lastappliedupdater.go: as Go's encoder prints an unstructured object. */
test.each<[fact: string, patch: JsonObject, text: string]>([
  ['fields stand by name, at every depth', { b: { d: 1, c: 2 }, a: 'x' }, '{"a":"x","b":{"c":2,"d":1}}\n'],
  [
    'lists keep their order, what is in them does not',
    { l: ['b', 'a', { z: true, y: null }] },
    '{"l":["b","a",{"y":null,"z":true}]}\n',
  ],
  ['texts are escaped as Go does', { a: '<&>' }, '{"a":"\\u003c\\u0026\\u003e"}\n'],
  [
    'the annotation itself is left out, others stay',
    { metadata: { annotations: { [annotation]: 'x', other: 'y' } } },
    '{"metadata":{"annotations":{"other":"y"}}}\n',
  ],
  ['metadata without annotations stays', { metadata: { name: 'c' } }, '{"metadata":{"name":"c"}}\n'],
])('%s', (_fact, patch, text) => {
  expect(written(patch)).toBe(text);
});

test('who has no such annotation gets none', () => {
  expect(written({ a: 'x' }, '')).toBe('');
});

const annotated = (applied: JsonValue | undefined, data: JsonObject): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'c',
    ...(applied !== undefined && {
      annotations: {
        [annotation]: typeof applied === 'string' ? applied : JSON.stringify(applied),
      },
    }),
  },
  data,
});
const applied = (data: JsonValue, apiVersion = 'v1'): JsonObject => ({ apiVersion, kind: 'ConfigMap', data });
const owner: Manager = { manager: 'm', operation: 'Update', apiVersion: 'v1', subresource: '', time: '', fields: {} };
const conflictAt = (...names: readonly string[]): ReadonlyMap<string, FieldSet> =>
  new Map([['m', { 'f:data': Object.fromEntries(names.map((name) => [`f:${name}`, {}])) }]]);
const message = (field: string): string => `Apply failed with 1 conflict: conflict with "m" using v1: .data.${field}`;

// Source: apimachinery pkg/util/managedfields/internal/lastappliedmanager.go and its test
test.each<[fact: string, live: KubernetesObject, conflicts: ReturnType<typeof conflictAt>, left: string | undefined]>([
  ['no annotation', annotated(undefined, { a: '1' }), conflictAt('a'), undefined],
  ['one that is no JSON', annotated('{', { a: '1' }), conflictAt('a'), undefined],
  ['one that is no object', annotated('[]', { a: '1' }), conflictAt('a'), undefined],
  ['one of another version', annotated(applied({ a: '1' }, 'v2'), { a: '1' }), conflictAt('a'), undefined],
  ['one that is not of its type', annotated(applied({ a: [] }), { a: '1' }), conflictAt('a'), undefined],
  [
    'fields that are as they were applied',
    annotated(applied({ a: '1', b: '2' }), { a: '1', b: '2' }),
    conflictAt('a', 'b'),
    'allowed',
  ],
  [
    'a field that is not',
    annotated(applied({ a: '1', b: '2' }), { a: '1', b: '3' }),
    conflictAt('a', 'b'),
    message('b'),
  ],
  [
    'a field that was not applied',
    annotated(applied({ a: '1' }), { a: '1', b: '2' }),
    conflictAt('a', 'b'),
    message('b'),
  ],
])('kubectl takes over, with %s', (_fact, live, conflicts, left) => {
  const type = getValueTypes(recordedRelease.types)('core.v1.ConfigMap');
  const allowed = checkLastApplied({ live, type, managers: new Map([['m', owner]]) }, conflicts);
  expect(allowed?.outcome === 'conflict' ? allowed.status.message : allowed?.outcome).toBe(left);
});
