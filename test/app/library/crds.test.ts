import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorld, startKadmit, type World, type WorldOptions } from '../../../src/library.ts';
import { definitionOf, schemaOf } from '../../harness/custom-definition.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kadmit-test-'));
});

const open: World[] = [];
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const definition = (plural: string, kind: string): object =>
  definitionOf(`${plural}.example.com`, kind, schemaOf({ type: 'object' }));

const object = (kind: string): object => ({ apiVersion: 'example.com/v1', kind, metadata: { name: 'one' } });

const file = (name: string, ...documents: readonly object[]): string => {
  writeFileSync(join(folder, name), documents.map((one) => JSON.stringify(one)).join('\n---\n'));
  return join(folder, name);
};

test('definitions of files, folders and objects are installed before `load`, and stay after a reset', async () => {
  mkdirSync(join(folder, 'bases'));
  file('bases/teas.yaml', definition('teas', 'Tea'));
  file('bases/list.json', { apiVersion: 'v1', kind: 'List', items: [definition('pots', 'Pot')] });
  file('bases/kustomization.yaml', { resources: ['teas.yaml'] });
  file('bases/patch.yaml', { kind: 'CustomResourceDefinition', metadata: { name: 'teas.example.com' } });
  const cups = file('cups.yaml', definition('cups', 'Cup'));
  const world = await createWorld({
    load: [object('Tea'), object('Pot'), object('Cup'), object('Jug')],
    crds: [join(folder, 'bases'), cups, definition('jugs', 'Jug')],
  });
  open.push(world);
  await world.client.delete('teas', { name: 'one' });
  await world.reset();
  for (const plural of ['teas', 'pots', 'cups', 'jugs']) {
    expect(await world.client.get(`${plural}.example.com`, { name: 'one' })).toMatchObject({
      kind: expect.any(String),
    });
  }
});

test('a server begins with definitions too', async () => {
  const kadmit = await startKadmit({ crds: [definition('teas', 'Tea')] });
  try {
    await expect(kadmit.client.create(object('Tea'))).resolves.toMatchObject({ kind: 'Tea' });
  } finally {
    await kadmit.close();
  }
});

test.each<[what: string, crds: () => unknown, problem: () => string]>([
  ['a path that is not there', () => ['no/such/path'], () => 'crds: no/such/path: ENOENT'],
  [
    'a file with something else',
    () => [file('a.yaml', definition('teas', 'Tea'), { apiVersion: 'v1', kind: 'ConfigMap' })],
    () => `crds: ${join(folder, 'a.yaml')}, document 2: ConfigMap is no CustomResourceDefinition: put it into load`,
  ],
  ['a folder without any', () => [folder], () => `crds: ${folder} holds no CustomResourceDefinition`],
  [
    'a file with a definition that is refused',
    () => [file('b.yaml', { ...definition('teas', 'Tea'), metadata: { name: 'x' } })],
    () => `crds: ${join(folder, 'b.yaml')}, document 1: CustomResourceDefinition.apiextensions.k8s.io "x" is invalid`,
  ],
  ['another object', () => [object('Tea')], () => 'crds: Tea is no CustomResourceDefinition: put it into load'],
  [
    'a definition that is refused',
    () => [{ ...definition('teas', 'Tea'), metadata: { name: 'x' } }],
    () => 'crds: CustomResourceDefinition x was refused: ',
  ],
  ['a text', () => 'config/crd/bases', () => 'createWorld: crds is not a list of paths and objects'],
])('%s is named', async (_, crds, problem) => {
  const options = (value: object): WorldOptions => value;
  await expect(createWorld(options({ crds: crds() }))).rejects.toThrow(problem());
});
