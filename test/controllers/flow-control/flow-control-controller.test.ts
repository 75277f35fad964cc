import { afterEach, expect, test } from 'vitest';
import { type JsonValue, valueAt } from '../../../src/machinery/json/json.ts';
import { flowSeeds } from '../../../src/controllers/flow-control/bootstrap.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import { metadataOf } from '../../../src/machinery/meta/object.ts';
import { type Cluster, startCluster } from '../cluster.ts';

const root = '/apis/flowcontrol.apiserver.k8s.io/v1';
const merge = 'application/merge-patch+json';
const running: Cluster[] = [];

afterEach(async () => {
  for (const cluster of running.splice(0)) await cluster.close();
});

async function start(): Promise<Cluster> {
  const cluster = await startCluster([]);
  running.push(cluster);
  await cluster.settle();
  return cluster;
}

const at = async (cluster: Cluster, path: string, ...fields: readonly string[]): Promise<JsonValue | undefined> =>
  valueAt((await cluster.find(`${root}/${path}`)) ?? null, ...fields);

/** Follows apiserver pkg/apis/flowcontrol/bootstrap/default.go; counted at a kube-apiserver v1.36.2. */
test('every server has eight levels and eleven flows', async () => {
  const cluster = await start();
  expect(await cluster.names(`${root}/prioritylevelconfigurations`)).toHaveLength(8);
  expect(await cluster.names(`${root}/flowschemas`)).toHaveLength(11);
});

test('they hold what kube-apiserver asks of them, and are in its form', () => {
  for (const { resource, object } of flowSeeds('2026-01-01T00:00:00Z')) {
    const { validate } = recordedRelease.strategyFor(resource);
    expect([metadataOf(object).name, validate(object)]).toEqual([metadataOf(object).name, []]);
    expect(recordedRelease.codec.inFieldOrder(object)).toBe(object);
  }
});

/** Follows kubernetes pkg/registry/flowcontrol/ensurer/strategy.go ReviseIfNeeded. */
test.each([
  ['a changed object is restored', 'flowschemas/probes', {}, 2],
  ['unless its annotation says otherwise', 'flowschemas/probes', { 'apf.kubernetes.io/autoupdate-spec': 'false' }, 77],
])('%s', async (_sentence, path, annotations, precedence) => {
  const cluster = await start();
  await cluster.send(
    'PATCH',
    `${root}/${path}`,
    { metadata: { annotations }, spec: { matchingPrecedence: 77 } },
    merge,
  );
  await cluster.settle();
  expect(await at(cluster, path, 'spec', 'matchingPrecedence')).toBe(precedence);
});

test('a mandatory one follows whatever its annotation says', async () => {
  const cluster = await start();
  const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'false' };
  await cluster.send('PATCH', `${root}/flowschemas/catch-all`, { metadata: { annotations } }, merge);
  await cluster.settle();
  expect(await at(cluster, 'flowschemas/catch-all', 'metadata', 'annotations')).toEqual({
    'apf.kubernetes.io/autoupdate-spec': 'true',
  });
});

test('a deleted object is restored', async () => {
  const cluster = await start();
  await cluster.send('DELETE', `${root}/flowschemas/probes`);
  await cluster.settle();
  expect(await at(cluster, 'flowschemas/probes', 'spec', 'matchingPrecedence')).toBe(2);
});

/** Follows apiserver pkg/util/flowcontrol/apf_controller.go presyncFlowSchemaStatus. */
test('a flow says whether its level is there', async () => {
  const cluster = await start();
  const spec = { priorityLevelConfiguration: { name: 'mine' }, matchingPrecedence: 5 };
  await cluster.send('POST', `${root}/flowschemas`, { metadata: { name: 'f' }, spec });
  await cluster.settle();
  const condition = async (): Promise<unknown> => at(cluster, 'flowschemas/f', 'status', 'conditions');
  expect(await condition()).toMatchObject([
    {
      type: 'Dangling',
      status: 'True',
      reason: 'NotFound',
      message:
        'This FlowSchema references the PriorityLevelConfiguration object named "mine" but there is no such object',
    },
  ]);
  const level = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
  await cluster.send('POST', `${root}/prioritylevelconfigurations`, { metadata: { name: 'mine' }, spec: level });
  await cluster.settle();
  expect(await condition()).toMatchObject([{ status: 'False', reason: 'Found' }]);
});
