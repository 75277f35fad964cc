import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { forkClusterState } from '../../../src/app/compose/cluster-state.ts';
import type { FinishedRequest } from '../../../src/apiserver/request/handle.ts';
import { answerCalls } from '../../../src/app/in-process/answer-calls.ts';
import { createBases } from '../../../src/app/in-process/bases.ts';
import { nodePlatform as platform } from '../../../src/app/in-process/node-platform.ts';
import { openWorld } from '../../../src/app/in-process/open-world.ts';
import { virtualStart, virtualTime } from '../../../src/app/in-process/time.ts';
import { createTrace } from '../../../src/explain/trace/create-trace.ts';
import type { Trace } from '../../../src/explain/trace/trace.ts';
import { createStubRegistry } from '../../../src/testing/stubs/stub-registry.ts';

const config = {
  controllers: ['*'],
  nodes: 2,
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  authorizationMode: 'RBAC',
};

const bugs: unknown[] = [];
const onBug = (bug: unknown): number => bugs.push(bug);
const bases = createBases(platform, onBug);

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const deployment = (image: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } },
  },
});

/** The traces of everything that anybody asks for while a rollout begins, changes its mind and is deleted. */
async function tracesOfARollout(seed: number): Promise<readonly Trace[]> {
  const clusterState = forkClusterState(await bases({ clock: 'virtual', ...config }));
  const time = virtualTime(virtualStart, platform.nextIteration);
  const traces: Trace[] = [];
  const finished = (one: FinishedRequest): number =>
    traces.push(createTrace(one, one.request.auditId, time.clock.now()));
  const answerer = answerCalls(createStubRegistry([], seed), { ...time, cluster: clusterState.cluster, mappings: [] });
  const world = await openWorld(clusterState, config, { time, platform, seed, answerer, finished, onBug });
  await world.send({ method: 'POST', path: deployments, body: deployment('a:1') });
  await world.settle();
  const patch = { method: 'PATCH', path: `${deployments}/web`, contentType: 'application/merge-patch+json' } as const;
  await world.send({ ...patch, body: deployment('a:2') });
  await world.advance(1500);
  await world.send({ ...patch, body: { spec: { ...(deployment('a:3')['spec'] as JsonObject), replicas: 3 } } });
  await world.settle();
  await world.send({ method: 'DELETE', path: `${deployments}/web` });
  await world.settle();
  await world.close();
  return traces;
}

test('two runs of a rollout leave the same traces, to the last byte', async () => {
  const [wanted, traces] = [await tracesOfARollout(7), await tracesOfARollout(7)];
  expect(wanted.length).toBeGreaterThan(80);
  expect(traces.map((trace) => JSON.stringify(trace))).toEqual(wanted.map((trace) => JSON.stringify(trace)));
  expect(bugs).toEqual([]);
});
