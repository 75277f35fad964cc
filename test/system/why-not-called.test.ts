import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createWorlds } from '../../src/app/in-process/worlds.ts';
import { loadScenario } from '../../src/testing/scenario/load-scenario.ts';
import { runScenario } from '../../src/testing/scenario/run.ts';
import { goldens, runOptions } from '../harness/scenario.ts';
import { renderExplanation } from '../../src/explain/render/explain.ts';

// The thirteen questions of people whose webhook was not called, or was called where it should not be: the explanation
// names the cause in its first five lines. The last step of each scenario is the one explained.

const worlds = createWorlds((error) => {
  throw error;
});
afterAll(() => worlds.close());

const causes: Readonly<Record<string, RegExp>> = {
  'wrong-group': /requires deployments in the core group "", and this is deployments in group apps/,
  eviction: /objectSelector requires guarded=true; the Eviction web has no labels/,
  'scale-group': /requires deployments\/scale in group autoscaling, and this is deployments\/scale in group apps/,
  'scale-wildcard': /a subresource is matched under the group of its parent/,
  'scale-bypass': /requires deployments, and this is deployments\/scale/,
  'scale-statefulset': /requires statefulsets, and this is statefulsets\/scale/,
  subresource: /requires pods, and this is pods\/exec/,
  'label-missing': /namespace tekton-pipelines has no label pipeline.tekton.dev\/release/,
  'since-the-selector': /namespaceSelector requires envars-webhook=enabled/,
  'namespaces-themselves': /tested on the new labels of that Namespace itself/,
  'label-name': /use kubernetes.io\/metadata.name/,
  'selector-left-out': /all namespaces/,
  'only-kube-system': /namespaceSelector limits this webhook to namespace kube-system/,
};

test.each(Object.entries(causes))('%s', async (folder, cause) => {
  const path = join('scenarios/why-not-called', folder);
  const loading = await loadScenario(path);
  if (loading.outcome !== 'loaded') throw new Error(JSON.stringify(loading.problems));
  const outcome = await runScenario(loading.scenario, worlds, runOptions({ goldens }));
  expect(outcome.steps.flatMap(({ failures }) => failures)).toEqual([]);
  const trace = outcome.steps.at(-1)?.trace;
  if (!trace) throw new Error('the last step left no trace');
  expect(renderExplanation(trace).split('\n').slice(0, 5).join('\n')).toMatch(cause);
});
