import { beforeAll, expect, test } from 'vitest';
import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import { gizmos } from '../harness/custom-definition.ts';
import { at } from '../harness/world-answer.ts';
import { createTestWorld, type TestWorld } from '../harness/world.ts';
import recorded from '../facts/vectors/server-side-apply.json' with { type: 'json' };

interface Step {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string | null;
  readonly body?: JsonValue;
  readonly status: number;
  readonly response: JsonObject;
}

interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const scenarios: readonly Scenario[] = JSON.parse(JSON.stringify(recorded.scenarios));

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const mergePatch = 'application/merge-patch+json';

/** No controller of this world says so. */
const established = {
  status: {
    acceptedNames: { plural: 'gizmos', singular: 'gizmo', kind: 'Gizmo', listKind: 'GizmoList' },
    conditions: ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True', lastTransitionTime: null })),
  },
};

let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld();
  await world.send('POST', definitions, gizmos);
  await world.send('PATCH', `${definitions}/gizmos.ssa.example.com/status`, established, { contentType: mergePatch });
  await world.send('POST', '/api/v1/namespaces', { metadata: { name: 'ssatest' } });
  await world.send('POST', '/api/v1/namespaces/ssatest/serviceaccounts', { metadata: { name: 'default' } });
});

// Source: server-side applies recorded from kube-apiserver v1.36.2, whole answers. The scenarios of one object follow each other.
test.each(scenarios)('$name', async ({ steps }) => {
  for (const [index, step] of steps.entries()) {
    await playController(step);
    const { code, body } = await send(step);
    expect({ code, body: steady(body) }, `step ${index + 1}`).toEqual({
      code: step.status,
      body: steady(step.response),
    });
  }
});

const send = ({ method, path, contentType, body }: Step) =>
  world.send(method, path, body ?? undefined, {
    headers: { 'user-agent': 'Python-urllib/3.12' },
    ...(typeof contentType === 'string' ? { contentType } : {}),
  });

/** The recorded cluster had a controller of Deployments: writes the status that an answer shows of it. */
async function playController({ path, response }: Step): Promise<void> {
  if (!JSON.stringify(at(response, 'metadata') ?? {}).includes('kube-controller-manager')) return;
  const target = path.replace(/(\/status)?(\?.*)?$/, '');
  const { body } = await world.send('GET', target);
  const { replicas: _other, ...status } = asObject(response['status']);
  await world.send('PUT', `${target}/status`, { ...body, status: timed(status) }, { headers: controller });
}

const controller = { 'user-agent': 'kube-controller-manager/v1.36.2' };

const timed = (status: JsonObject): JsonValue =>
  JSON.parse(JSON.stringify(status).replaceAll('<ts>', '2026-01-01T00:00:00Z'));

const placeholders = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'lastUpdateTime',
  'lastTransitionTime',
]);

/** The value without what differs from run to run. */
function steady(value: unknown, key = ''): unknown {
  if (placeholders.has(key)) return `<${key}>`;
  if (typeof value === 'string') return value.replace(/^10\.0\.0\.\d+$/, '<address>');
  if (Array.isArray(value)) return value.map((one) => steady(one));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, steady(one, name)]));
}
