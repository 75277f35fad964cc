import { expect, test } from 'vitest';
import type { MatrixAxis } from '../../../src/testing/scenario/format.ts';
import { combinationsOf } from '../../../src/testing/scenario/matrix.ts';
import { runScenario } from '../../../src/testing/scenario/run.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import {
  configMap,
  configuration,
  failuresOf,
  manifest,
  runOptions,
  scenarioOf,
  step,
  webhook,
  expectWebhook,
} from '../../harness/scenario.ts';

const order: MatrixAxis = {
  name: 'order',
  values: [
    { name: 'a-first', change: { order: ['alpha', 'beta'] } },
    { name: 'b-first', change: { order: ['beta', 'alpha'] } },
  ],
};
const fault: MatrixAxis = {
  name: 'fault',
  values: [
    { name: 'none', change: { webhooks: [{ name: '*', faults: [] }] } },
    {
      name: 'hang',
      change: {
        webhooks: [
          { name: 'b.example.com', faults: [{ what: { type: 'hang' } }], fields: { failurePolicy: 'Ignore' } },
        ],
      },
    },
  ],
};

test('an axis of policySeed shuffles the policies', () => {
  const values = [0, 7].map((policySeed) => ({ name: String(policySeed), change: { policySeed } }));
  const runs = combinationsOf(scenarioOf({ matrix: [{ name: 'policySeed', values }] }));
  expect(runs.map((run) => `${run.combination} ${run.scenario.policySeed ?? ''}`)).toEqual([
    'policySeed=0 0',
    'policySeed=7 7',
  ]);
});

const scenario = scenarioOf({
  load: [
    manifest(configuration('Mutating', 'alpha', [{ name: 'a.example.com' }])),
    manifest(configuration('Mutating', 'beta', [{ name: 'b.example.com' }])),
  ],
  webhooks: [webhook('a.example.com'), webhook('b.example.com')],
  steps: [
    step(
      { type: 'create', object: configMap('one') },
      { order: ['alpha/a.example.com', 'b.example.com'] },
      { when: { order: ['a-first'] } },
    ),
    step(
      { type: 'create', object: configMap('one') },
      { order: ['b.example.com', 'alpha/a.example.com'] },
      { when: { order: ['b-first'] } },
    ),
    step(
      { type: 'create', object: configMap('two') },
      { webhooks: [expectWebhook('b.example.com', { configuration: 'beta', outcome: 'failed-open' })] },
      { when: { fault: ['hang'] } },
    ),
    step({
      type: 'get',
      target: { resource: 'mutatingwebhookconfigurations', subresource: '', namespace: '', name: 'alpha' },
    }),
  ],
  matrix: [order, fault],
});

test('every combination of the values of the axes is a run', () => {
  expect(combinationsOf(scenario).map(({ combination }) => combination)).toEqual([
    'order=a-first, fault=none',
    'order=a-first, fault=hang',
    'order=b-first, fault=none',
    'order=b-first, fault=hang',
  ]);
});

test('a scenario without a matrix runs once', () => {
  expect(combinationsOf({ ...scenario, matrix: [] }).map(({ combination }) => combination)).toEqual(['']);
});

test('an order that names have already changes no name', () => {
  const [first] = combinationsOf({ ...scenario, matrix: [order] });
  expect(first?.scenario.load).toEqual(scenario.load);
});

test('each run has its order, faults and steps; names in steps and expectations follow', async () => {
  const worlds = createWorlds((bug) => {
    throw bug;
  });
  for (const { combination, scenario: one } of combinationsOf(scenario)) {
    const outcome = await runScenario(one, worlds, runOptions({ combination }));
    expect([combination, failuresOf(outcome)]).toEqual([combination, []]);
    expect(outcome.outcome).toBe('passed');
  }
  await worlds.close();
});

test('an axis of kubernetesVersion names the release that is followed', () => {
  const values = ['1.33', '1.36'].map((kubernetesVersion) => ({
    name: kubernetesVersion,
    change: { kubernetesVersion },
  }));
  const runs = combinationsOf(scenarioOf({ matrix: [{ name: 'kubernetesVersion', values }] }));
  expect(runs.map((run) => `${run.combination} ${run.scenario.kubernetesVersion ?? ''}`)).toEqual([
    'kubernetesVersion=1.33 1.33',
    'kubernetesVersion=1.36 1.36',
  ]);
});
