import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kubeconfigText } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { snapshotCommand } from '../../src/app/cli/snapshot/snapshot.ts';
import type { ServerConfig } from '../../src/adapters/config/server-config.ts';
import type { ApiObject } from '../../src/library.ts';
import { definition } from '../apiserver/custom-resources/widgets.ts';
import { hasEtcd, startEtcd } from '../harness/etcd-process.ts';
import { startKadmit } from '../harness/start-kadmit.ts';
import { runCommand } from '../harness/run-command.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder();
const file = (name: string): string => join(folder, name);

const items = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'red' } } },
  { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...definition() },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' }, data: { text: 'é "\u2028"\n' } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'shop' }, binaryData: { bytes: 'AP8=' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: 'shop' }, stringData: { a: 'b' } },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'checks' },
    webhooks: [
      {
        name: 'checks.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        failurePolicy: 'Ignore',
      },
    ],
  },
];

/** A server begins with one file and saves all that it has in another. */
async function passOn(from: string, to: string, storage: Partial<ServerConfig>): Promise<void> {
  const server = await startKadmit({ ...storage, load: [file(from)] });
  writeFileSync(file('kubeconfig'), kubeconfigText(server), { mode: 0o600 });
  const args = ['save', file(to), '--show-secrets', '--kubeconfig', file('kubeconfig')];
  const saved = await runCommand(snapshotCommand, args, {});
  await server.close();
  expect(saved).toMatchObject({ code: 0, out: expect.stringContaining('objects in') });
}

/** Each object but for what a server gives it, and for the Service of the server itself. */
function objectsIn(name: string): readonly string[] {
  const [, ...lines] = readFileSync(file(name), 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as ApiObject)
    .filter(({ kind, metadata }) => !(metadata?.name === 'kubernetes' && /^(Service|Endpoint)/.test(String(kind))))
    .map(({ metadata, status: _status, ...rest }) => {
      const { name: called, namespace, labels, annotations, finalizers } = metadata ?? {};
      return JSON.stringify({ metadata: { name: called, namespace, labels, annotations, finalizers }, ...rest });
    })
    .toSorted();
}

test.runIf(!hasEtcd)('NOT RUN, there is no etcd: a snapshot passed on from storage to storage', () => {
  expect(hasEtcd).toBe(false);
});

test.skipIf(!hasEtcd)('a snapshot is the same whatever keeps the objects, passed on from one to the next', async () => {
  writeFileSync(file('first.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const etcd = await startEtcd();
  try {
    await passOn('first.json', 'memory.jsonl', {});
    await passOn('memory.jsonl', 'data-dir.jsonl', { dataDir: file('data') });
    await passOn('data-dir.jsonl', 'etcd.jsonl', { etcdServers: [etcd.url] });
    await passOn('etcd.jsonl', 'again.jsonl', {});
  } finally {
    await etcd.close();
  }
  const objects = objectsIn('memory.jsonl');
  expect(objects.filter((text) => text.includes('"shop"')).length).toBeGreaterThanOrEqual(4);
  expect(objectsIn('data-dir.jsonl')).toEqual(objects);
  expect(objectsIn('etcd.jsonl')).toEqual(objects);
  expect(objectsIn('again.jsonl')).toEqual(objects);
});
