import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeconfigText } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { snapshotCommand } from '../../src/app/cli/snapshot/snapshot.ts';
import { type ApiObject, createWorld } from '../../src/library.ts';
import { definition } from '../apiserver/custom-resources/widgets.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { type CommandResult, runCommand } from '../harness/run-command.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// A server with a Deployment whose Pods run, a custom resource and a Secret; everything of it in a file, and back.
const folder = temporaryFolder();
const file = (name: string): string => join(folder, name);
const servers: Kadmit[] = [];
let first: Kadmit;

async function serverWith(load: readonly string[], kubeconfig: string, controllers = ['*']): Promise<Kadmit> {
  const server = await startKadmit({ controllers, nodes: 1, load });
  servers.push(server);
  writeFileSync(file(kubeconfig), kubeconfigText(server), { mode: 0o600 });
  return server;
}

const run = (...args: readonly string[]): Promise<CommandResult> => runCommand(snapshotCommand, args, {});

const manifests = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...definition() },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: 'shop' }, stringData: { a: 'b' } },
];

beforeAll(async () => {
  writeFileSync(file('shop.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
  first = await serverWith([file('shop.json')], 'first');
  await saved('all.jsonl.gz', '--show-secrets');
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function saved(name: string, ...flags: readonly string[]): Promise<CommandResult> {
  return run('save', file(name), '--kubeconfig', file('first'), ...flags);
}

const listOf = async ({ url, token, caPem }: Kadmit, path: string): Promise<readonly ApiObject[]> => {
  const { Agent, request } = await import('node:https');
  return new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${token}` }, agent: new Agent({ ca: caPem }) };
    request(`${url}${path}`, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const list = JSON.parse(Buffer.concat(chunks).toString()) as { items: ApiObject[] };
        resolve(list.items);
      });
    })
      .on('error', reject)
      .end();
  });
};

const pods = '/api/v1/namespaces/shop/pods';
const names = (objects: readonly ApiObject[]): readonly unknown[] => objects.map(({ metadata }) => metadata?.name);

test('a world starts with a snapshot: the same objects with the same uids', async () => {
  const there = await listOf(first, pods);
  expect(there).toHaveLength(2);
  const world = await createWorld({ load: [file('all.jsonl.gz')], nodes: 1 });
  try {
    const items = await world.client.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace: 'shop' });
    expect(items.map(({ metadata }) => metadata)).toEqual(
      there.map(({ metadata }) => ({ ...metadata, resourceVersion: expect.any(String) as string })),
    );
    expect(
      await world.client.get({ apiVersion: 'v1', kind: 'Secret' }, { name: 'key', namespace: 'shop' }),
    ).toMatchObject({
      data: { a: 'Yg==' },
    });
  } finally {
    await world.close();
  }
});

test('a running server restores it: new uids, the same owners by name, no duplicates', async () => {
  // The ReplicaSet controller could be faster than the Pods of the file, and keep its own instead.
  const other = await serverWith([], 'other', ['*', '-replicaset-controller']);
  const { code, out, error } = await run('restore', file('all.jsonl.gz'), '--kubeconfig', file('other'));
  expect(error).toBe('');
  expect(code).toBe(0);
  expect(out).toMatch(/^\d+ objects created, \d+ replaced, 0 refused by https/);
  const [there, here] = [await listOf(first, pods), await listOf(other, pods)];
  expect(names(here)).toEqual(names(there));
  expect(here[0]?.metadata?.uid).not.toBe(there[0]?.metadata?.uid);
});

test('Secrets are saved on request only; kinds and namespaces can be selected', async () => {
  const { readSnapshot } = await import('../../src/testing/record-replay/snapshot/read-snapshot.ts');
  const kindsIn = (name: string): ReadonlySet<string> =>
    new Set(readSnapshot(file(name)).objects.map(({ kind }) => kind));
  expect((await saved('plain.jsonl')).out).toMatch(/^\d+ objects in .*plain.jsonl, without Secrets and Events$/);
  expect(kindsIn('plain.jsonl')).not.toContain('Secret');
  await saved('pods.jsonl', '--kinds', 'po,secrets');
  expect(kindsIn('pods.jsonl')).toEqual(new Set(['Pod', 'Secret']));
  await saved('none.jsonl', '-n', 'default', '--kinds', 'pods,ns');
  expect(readSnapshot(file('none.jsonl')).objects.map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual([
    'Namespace default',
  ]);
});

test.each([
  [['save'], /FILE is required/],
  [['save', 'a', 'b'], /unexpected argument "b"/],
  [['drop'], /unknown action "drop"; use save, restore or replay/],
  [['restore', '/nowhere/a.jsonl'], /cannot be read/],
  [['save', '/nowhere/a.jsonl', '--kubeconfig', 'nowhere'], /nowhere cannot be read/],
])('%s is bad usage', async (args, problem) => {
  const { code, error } = await run(...args);
  expect(code).toBe(2);
  expect(error).toMatch(problem);
});
