import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { compareScenario, type ReleaseComparison, compareAnswers } from '../../../src/testing/scenario/compare.ts';
import type { Scenario } from '../../../src/testing/scenario/format.ts';
import type { ScenarioWorld, WorldAnswer, Worlds } from '../../../src/testing/scenario/world.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { configMap, configuration, manifest, scenarioOf, step, webhook } from '../../harness/scenario.ts';

const worlds = createWorlds((bug) => {
  throw bug;
});
afterAll(() => worlds.close());

/** Another server, with a seed of its own, whose answers may be changed; what a scenario loads is not there yet. */
const elsewhere = (change: (answer: WorldAnswer) => WorldAnswer): Worlds => ({
  ...worlds,
  create: async (setup) => {
    const world: ScenarioWorld = await worlds.create({ ...setup, seed: 99 });
    return { ...world, send: async (request) => change(await world.send(request)) };
  },
});

const scenario: Partial<Scenario> = {
  load: [manifest(configuration('Validating', 'gate', [{ name: 'gate.example.com' }]))],
  webhooks: [webhook('gate.example.com')],
  steps: [
    step({ type: 'create', object: configMap('a') }),
    step({ type: 'configure', webhook: 'gate.example.com', change: { does: [{ type: 'deny', message: 'no' }] } }),
    step({ type: 'create', object: configMap('b') }),
    step({ type: 'advance', milliseconds: 1000 }),
    step({ type: 'create', object: { apiVersion: 'v1', kind: 'Pdo', metadata: { name: 'x' } } }),
  ],
};

const compare = (change: (answer: WorldAnswer) => WorldAnswer = (answer) => answer): Promise<ReleaseComparison> =>
  compareScenario(scenarioOf(scenario), { here: worlds, there: elsewhere(change), combination: '' });

test('two servers that do the same are the same, whatever was expected', async () => {
  const { outcome, steps } = await compare();
  expect(outcome).toBe('same');
  expect(steps.map((one) => one.outcome)).toEqual(['same', 'same', 'same', 'left-out', 'same']);
});

test('each step shows what is different', async () => {
  const { outcome, steps } = await compare((answer) =>
    answer.code === 400
      ? { ...answer, code: 403, warnings: ['beware'], body: { ...answer.body, message: 'never' } }
      : answer,
  );
  expect(outcome).toBe('different');
  expect(steps[2]?.differences).toEqual([
    { what: 'code', here: '400', there: '403' },
    { what: 'message', here: 'admission webhook "gate.example.com" denied the request: no', there: 'never' },
    { what: 'warnings', here: '', there: 'beware\n' },
  ]);
});

test('a scenario that cannot be loaded there is broken', async () => {
  const { outcome, problem } = await compare((answer) => ({ ...answer, code: 500 }));
  expect(outcome).toBe('broken');
  expect(problem?.message).toContain('ValidatingWebhookConfiguration gate is refused with 500');
});

const answer = (body: JsonObject, code = 200): WorldAnswer => ({
  code,
  body,
  warnings: [],
  milliseconds: 0,
  trace: undefined,
});

const status = (message: string): WorldAnswer =>
  answer({ kind: 'Status', reason: 'InternalError', message, details: { causes: [{ message }] }, code: 500 }, 500);

/** What any two servers differ in. */
const same: readonly [fact: string, here: WorldAnswer, there: WorldAnswer][] = [
  [
    'uids, times and revisions',
    answer({
      metadata: {
        uid: '00000000-0000-4000-8000-000000000001',
        resourceVersion: '1',
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
    }),
    answer({
      metadata: {
        uid: '00000000-0000-4000-8000-000000000002',
        resourceVersion: '2',
        creationTimestamp: '2026-01-01T00:00:01Z',
      },
    }),
  ],
  [
    'addresses of webhooks',
    status('Post "https://a.shop.svc:443/x?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused'),
    status('Post "https://127.0.0.1:4711/gate/a?timeout=10s": dial tcp 127.0.0.1:4711: connect: connection refused'),
  ],
  [
    'addresses of Services',
    answer({
      kind: 'Service',
      spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [{ port: 1, nodePort: 2 }] },
    }),
    answer({
      kind: 'Service',
      spec: { clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1'], ports: [{ port: 1, nodePort: 3 }] },
    }),
  ],
];

test.each(same)('%s make no difference', (_fact, here, there) => {
  expect(compareAnswers(here, there)).toEqual([]);
});

test('fields make one', () => {
  expect(compareAnswers(answer({ data: { a: '1' } }), answer({ data: { a: '2' } }))).toEqual([
    { what: 'object', here: 'data:\n  a: "1"\n', there: 'data:\n  a: "2"\n' },
  ]);
});
