import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { asObject, asString } from '../../../src/machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { parseApiVersion } from '../../../src/machinery/meta/gvk.ts';
import type { GroupVersionKind } from '../../../src/machinery/meta/gvk.ts';
import { applyJsonPatch } from '../../../src/machinery/patch/json-patch.ts';
import { decodePatch } from '../../../src/machinery/patch/json-patch-decode.ts';
import { plainValue } from '../../../src/machinery/json/json-reader.ts';
import { applyMergePatch } from '../../../src/machinery/patch/merge-patch.ts';
import { asKubernetesObject, withMetadata } from '../../../src/machinery/meta/object.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { customValueType } from '../../../src/api/apply/custom-value-type.ts';
import type { CustomKind } from '../../../src/api/apply/field-kinds.ts';
import { createFieldManager } from '../../../src/api/apply/field-manager.ts';
import type { FieldManager } from '../../../src/api/apply/field-manager.ts';
import type { Codec } from '../../../src/api/codec/codec.ts';
import { gizmoSchema } from '../../harness/gizmos.ts';
import recorded from '../../facts/vectors/server-side-apply.json' with { type: 'json' };
import { currentRelease } from '../../../src/api/release/current-release.ts';

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
const builtins = currentRelease.codec;
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

const gizmoKind: CustomKind = { type: customValueType(gizmoSchema), hasStatus: true };

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
