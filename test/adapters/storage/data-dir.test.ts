import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { afterAll, expect, test } from 'vitest';
import { type DataDir, openDataDir } from '../../../src/adapters/storage/data-dir/open-data-dir.ts';
import { openCachedStore } from '../../../src/apiserver/storage/cached-store.ts';
import { createVirtualClock } from '../../harness/virtual-clock.ts';
import { keyOf, object, storageContract } from '../../apiserver/storage/contract.ts';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-data-'));
  folders.push(folder);
  return folder;
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const open = (folder: string): Promise<DataDir> => openDataDir(folder, { sync: false });

storageContract('a data directory', async () => {
  const { storage, close } = await open(newFolder());
  const clock = createVirtualClock();
  const cached = await openCachedStore(storage, { clock, onLost: () => process.abort() });
  return { ...cached, close: () => (cached.close(), close()) };
});

/** A folder in which these were created, one after the other. */
async function written(...names: readonly string[]): Promise<string> {
  const folder = newFolder();
  const { storage, close } = await open(folder);
  for (const name of names) await storage.create(keyOf('ns', name), object('ns', name, name));
  await close();
  return folder;
}

test('what was written is there after a restart, and revisions go on', async () => {
  const folder = await written('a', 'b', 'c');
  const first = await open(folder);
  await first.storage.update(keyOf('ns', 'a'), object('ns', 'a', 'new'), 2);
  await first.storage.remove(keyOf('ns', 'b'), 3);
  await first.close();
  const { storage, close } = await open(folder);
  const { entries, revision } = await storage.snapshot();
  expect(revision).toBe(6);
  expect(entries.map(({ key, stored }) => [key.name, stored.revision, stored.object['data']])).toEqual([
    ['a', 5, { value: 'new' }],
    ['c', 4, { value: 'c' }],
  ]);
  expect(entries[0]?.stored.object.metadata?.resourceVersion).toBe('5');
  expect(await storage.create(keyOf('ns', 'd'), object('ns', 'd'))).toMatchObject({ stored: { revision: 7 } });
  expect(storage.watchAll(5, { onWrite: () => {} })).toEqual({ outcome: 'expired', oldest: 6 });
  await close();
});

test('numbers and names come back as they were', async () => {
  const folder = newFolder();
  const value = { ...object('ns', 'a'), data: { big: 9007199254740993n, half: 0.5, text: 'ä\u2028"' } };
  const { storage, close } = await open(folder);
  await storage.create(keyOf('ns', 'a'), value);
  await close();
  const again = await open(folder);
  expect((await again.storage.read(keyOf('ns', 'a')))?.object['data']).toEqual(value.data);
  await again.close();
});

test('a write is announced only when the disk has it', async () => {
  const { storage, close } = await open(newFolder());
  const log: string[] = [];
  storage.watchAll(1, { onWrite: ({ revision }) => log.push(`notified ${revision}`) });
  const first = storage.create(keyOf('ns', 'a'), object('ns', 'a')).then(() => log.push('stored'));
  const second = storage.create(keyOf('ns', 'a'), object('ns', 'a')).then(({ outcome }) => log.push(outcome));
  expect(await storage.latest()).toBe(1);
  await Promise.all([first, second]);
  expect(log).toEqual(['notified 2', 'stored', 'exists']);
  await close();
});

test('one process at a time', async () => {
  const folder = await written('a');
  const first = await open(folder);
  await expect(open(folder)).rejects.toThrow(`${folder} is in use by another kadmit: stop it, or name another folder`);
  await first.close();
});

/** Changes the records of a closed data directory. */
async function tampered(folder: string, act: (database: ClassicLevel) => Promise<unknown>): Promise<void> {
  const database = new ClassicLevel(join(folder, 'objects'));
  await act(database);
  await database.close();
}

test.each<[what: string, act: (database: ClassicLevel) => Promise<unknown>, message: RegExp]>([
  [
    'an object is no JSON',
    (database) => database.put('o:/configmaps/ns/b', '3 {'),
    /is damaged: \/configmaps\/ns\/b is unreadable\. Restore a copy, or start with another folder$/,
  ],
  [
    'a path is none',
    (database) => database.put('o:configmaps', `3 ${JSON.stringify(object('ns', 'b'))}`),
    /is damaged: configmaps is unreadable/,
  ],
  ['the head is unreadable', (database) => database.put('head', 'x'), /is damaged: its head is unreadable/],
  [
    'a newer kadmit wrote it',
    (database) => database.put('head', '2 4'),
    /was written by a newer kadmit \(format 2, this one reads 1\): use that version$/,
  ],
])('%s: the start fails with one line', async (_what, act, message) => {
  const folder = await written('a', 'b', 'c');
  await tampered(folder, act);
  await expect(open(folder)).rejects.toThrow(message);
});

test('a file of LevelDB that is gone fails the start with one line', async () => {
  const folder = await written('a', 'b', 'c');
  const manifest = readdirSync(join(folder, 'objects')).find((name) => name.startsWith('MANIFEST')) ?? '';
  rmSync(join(folder, 'objects', manifest));
  await expect(open(folder)).rejects.toThrow(/is damaged: [^\n]+$/);
});

test('a folder that others could read is theirs no more, nor are the files in it', async () => {
  const folder = await written('a');
  const paths = readdirSync(join(folder, 'objects')).map((name) => join(folder, 'objects', name));
  chmodSync(folder, 0o755);
  for (const path of paths) chmodSync(path, 0o644);
  await (await open(folder)).close();
  const modes = [folder, join(folder, 'objects')].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700]);
  const kept = paths.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []);
  expect(new Set(kept.map(({ mode }) => mode & 0o777))).toEqual(new Set([0o600]));
});
