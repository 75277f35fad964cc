import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeconfigText } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { readKubeconfig } from '../../src/adapters/config/kubeconfig/read-kubeconfig.ts';
import { callServer, objectIn, type ServerAccess } from '../../src/adapters/config/kubeconfig/call-server.ts';
import { asList, asObject, asString, type JsonObject } from '../../src/machinery/json/json.ts';
import { playChanges, type Played } from '../../src/testing/record-replay/snapshot/changes/play-changes.ts';
import { definition } from '../apiserver/custom-resources/widgets.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// A server without controllers, on which a recording of kwokctl's kind is played: what happens is what was recorded, and nothing else.
const folder = temporaryFolder();
const recording = join(import.meta.dirname, '../testing/record-replay/snapshot/changes/life-of-a-pod.yaml');
let server: Kadmit;
let access: ServerAccess;

beforeAll(async () => {
  server = await startKadmit();
  writeFileSync(join(folder, 'kubeconfig'), kubeconfigText(server), { mode: 0o600 });
  access = await readKubeconfig(join(folder, 'kubeconfig'));
});
afterAll(() => server.close());

/** Plays on a clock that stands still but for waiting; how long it waited each time. */
async function play(
  file: string,
  speed: number,
): Promise<{ readonly played: Played; readonly waits: readonly number[] }> {
  const waits: number[] = [];
  let now = 1000;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
  };
  return { played: await playChanges(file, access, { speed, clock, onProgress: () => {} }), waits };
}

const get = async (path: string): Promise<JsonObject> =>
  objectIn((await callServer(access, { method: 'GET', path })).text);

const counts = { restored: 2, created: 2, changed: 3, removed: 1, gone: 0, refused: 0, problems: [] };

function upTo(changes: number): string {
  const file = join(folder, `first-${changes}.yaml`);
  writeFileSync(
    file,
    readFileSync(recording, 'utf8')
      .split('---\n')
      .slice(0, 2 + changes)
      .join('---\n'),
  );
  return file;
}

test('a recorded Pod: owned by its ReplicaSet here, bound, running, labelled', async () => {
  const { played, waits } = await play(upTo(4), 10);
  expect(waits).toEqual([50, 50, 100]);
  expect(played).toMatchObject({ ...counts, changed: 2, removed: 0, recordedMs: 2000, playedMs: 200, behindMs: 0 });
  const set = await get('/apis/apps/v1/namespaces/lab/replicasets/web');
  const pod = await get('/api/v1/namespaces/lab/pods/web-1');
  expect(set).toMatchObject({
    metadata: { uid: expect.not.stringMatching('rs-old') as string },
    status: { replicas: 0 },
  });
  expect(pod).toMatchObject({
    metadata: {
      labels: { app: 'web', color: 'red' },
      ownerReferences: [{ name: 'web', uid: (set['metadata'] as JsonObject)['uid'] }],
    },
    spec: { nodeName: 'node-1' },
    status: { phase: 'Running', conditions: [{ type: 'PodScheduled', status: 'True' }] },
  });
});

test('replayed to its end: the Pod is marked as being deleted, and is removed at its recorded time', async () => {
  await callServer(access, { method: 'DELETE', path: '/api/v1/namespaces/lab/pods/web-1?gracePeriodSeconds=0' });
  const { played, waits } = await play(recording, Infinity);
  expect(waits).toEqual([]);
  expect(played).toMatchObject({ restored: 2, changed: 4, created: 1, removed: 1, refused: 0 });
  expect(await get('/api/v1/namespaces/lab/pods/web-1')).toMatchObject({ code: 404 });
});

const event = (type: string, name: string, more: object = {}): string =>
  `${JSON.stringify({ type, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'lab', uid: `old-${name}` }, ...more } })}\n`;

test('a recorded watch: added, modified and deleted; a server refuses', async () => {
  const file = join(folder, 'watch.json');
  const long = { data: { a: 'x'.repeat(2 ** 21) } };
  writeFileSync(
    file,
    event('ADDED', 'a', { data: { b: 'c' } }) +
      event('MODIFIED', 'a', { data: { b: 'd' } }) +
      event('ADDED', 'Wrong') +
      event('MODIFIED', 'Wrong') +
      event('ADDED', 'too-long', long) +
      event('ADDED', 'here') +
      event('DELETED', 'here') +
      event('DELETED', 'here'),
  );
  const { played } = await play(file, 1);
  expect(played).toMatchObject({ restored: 1, created: 1, changed: 1, removed: 1, gone: 1, refused: 3 });
  expect(played.problems[0]).toMatchObject({
    times: 2,
    problem: expect.stringMatching(/^ConfigMap lab\/Wrong: ConfigMap "Wrong" is invalid/) as string,
  });
  expect(await get('/api/v1/namespaces/lab/configmaps/a')).toMatchObject({ data: { b: 'd' } });
});

test('a definition is replayed, and then its objects', async () => {
  const file = join(folder, 'definition.json');
  const crd: JsonObject = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...definition() };
  const { group, names, versions } = asObject(crd['spec']);
  const version = asString(asObject(asList(versions)[0])['name']);
  const widget = {
    apiVersion: `${asString(group)}/${version}`,
    kind: asString(asObject(names)['kind']),
    metadata: { name: 'w', namespace: 'lab' },
  };
  const lines = [
    { type: 'BOOKMARK', object: {} },
    { type: 'ADDED', object: crd },
    { type: 'ADDED', object: widget },
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const { played } = await play(file, 1);
  expect(played).toMatchObject({ created: 2, refused: 0 });
});

test('a Namespace is deleted with its recorded objects', async () => {
  const file = join(folder, 'namespace.json');
  const shown = { type: 'DELETED', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } } };
  writeFileSync(file, JSON.stringify(shown));
  expect((await play(file, 1)).played).toMatchObject({ removed: 1, refused: 0 });
  expect(await get('/api/v1/namespaces/lab')).toMatchObject({ code: 404 });
});
