import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createWorlds } from '../../src/app/in-process/worlds.ts';
import { renderExplanation } from '../../src/explain/render/explain.ts';
import { modelOf } from '../../src/explain/render/model.ts';
import { loadScenario } from '../../src/testing/scenario/load-scenario.ts';
import { runScenario } from '../../src/testing/scenario/run.ts';
import { goldens, runOptions } from '../harness/scenario.ts';

const worlds = createWorlds((error) => {
  throw error;
});
afterAll(() => worlds.close());

const maxLines = 12;

// Requests that webhooks allowed and changed, without a finding and without a near miss.
test.each([
  'dry-run-matrix',
  'findings/called-again',
  'gatekeeper-in-front',
  'important-pod',
  'knative-rewrites-itself',
  'late-sidecar',
  'policy-params',
  'policy-table',
  'reinvocation-quirks',
  'skipped-first',
  'vendors/linkerd',
  'vendors/volcano',
])('a healthy request of %s is explained in at most 12 lines of 80 columns', async (folder) => {
  const loading = await loadScenario(join('scenarios', folder));
  if (loading.outcome !== 'loaded') throw new Error(JSON.stringify(loading.problems));
  const outcome = await runScenario(loading.scenario, worlds, runOptions({ goldens }));
  const healthy = outcome.steps.flatMap(({ trace }) => {
    if (trace?.verdict !== 'admitted') return [];
    const { findings, headline, table } = modelOf(trace);
    const isCalled = table.some(({ milliseconds }) => milliseconds !== undefined);
    const isQuiet = findings.every(({ severity }) => severity === 'note') && !headline.text.includes('nearly matched');
    return isCalled && isQuiet ? [renderExplanation(trace, { width: 80 }).split('\n')] : [];
  });
  expect(healthy.length).toBeGreaterThan(0);
  expect(healthy.filter((lines) => lines.length > maxLines)).toEqual([]);
});
