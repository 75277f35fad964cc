import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createWorlds } from '../../src/app/in-process/worlds.ts';
import type { ScenarioOutcome } from '../../src/testing/scenario/outcome.ts';
import { loadScenario } from '../../src/testing/scenario/load-scenario.ts';
import { combinationsOf } from '../../src/testing/scenario/matrix.ts';
import { runScenario } from '../../src/testing/scenario/run.ts';
import { goldens, runOptions } from '../harness/scenario.ts';

// Every scenario of scenarios/ holds, in virtual time where it is not real by itself.

const bugs: unknown[] = [];
const worlds = createWorlds((error) => bugs.push(error));
afterAll(() => worlds.close());

const files = readdirSync('scenarios', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('scenario.yaml'))
  .map((file) => join('scenarios', file));

test('there are scenarios', () => {
  expect(files.length).toBeGreaterThan(10);
});

test.each(files)('%s', async (file) => {
  const loading = await loadScenario(file);
  expect(loading).toMatchObject({ outcome: 'loaded' });
  if (loading.outcome !== 'loaded') return;
  for (const { combination, scenario } of combinationsOf(loading.scenario)) {
    const outcome = await runScenario(scenario, worlds, runOptions({ combination, goldens }));
    expect(failuresOf(outcome)).toEqual([]);
  }
  expect(bugs).toEqual([]);
});

const failuresOf = ({ combination, problem, steps }: ScenarioOutcome): readonly string[] => [
  ...(problem ? [`${combination} ${problem.message}`] : []),
  ...steps.flatMap(({ name, failures }) =>
    failures.map(({ what, message }) => `${combination} ${name}: ${what}: ${message}`),
  ),
];
