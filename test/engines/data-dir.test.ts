import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { afterAll, expect, test } from 'vitest';
import { openDataDir } from '../../src/engines/data-dir/open-data-dir.ts';
import type { DataDir } from '../../src/engines/data-dir/open-data-dir.ts';
import { openCachedStore } from '../../src/store/cached-store.ts';
import { createVirtualClock } from '../harness/virtual-clock.ts';
import { keyOf, object, storageContract } from '../store/contract.ts';

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
  expect(storage.watchAll(5, { wrote: () => {} })).toEqual({ outcome: 'expired', oldest: 6 });
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

test('nobody is told of a write before the disk has it', async () => {
  const { storage, close } = await open(newFolder());
  const told: string[] = [];
  storage.watchAll(1, { wrote: ({ revision }) => told.push(`told ${revision}`) });
  const first = storage.create(keyOf('ns', 'a'), object('ns', 'a')).then(() => told.push('stored'));
  const second = storage.create(keyOf('ns', 'a'), object('ns', 'a')).then(({ outcome }) => told.push(outcome));
  expect(await storage.latest()).toBe(1);
  await Promise.all([first, second]);
  expect(told).toEqual(['told 2', 'stored', 'exists']);
  await close();
});

test('one process at a time', async () => {
  const folder = await written('a');
  const first = await open(folder);
  await expect(open(folder)).rejects.toThrow(`${folder} is in use by another kadmit: stop it, or name another folder`);
  await first.close();
});

/** Does something to the engine's records behind its back. */
async function tampered(folder: string, act: (database: ClassicLevel) => Promise<unknown>): Promise<void> {
  const database = new ClassicLevel(join(folder, 'objects'), { compression: false });
  await act(database);
  await database.close();
}

const logOf = (folder: string): string => {
  const name = readdirSync(join(folder, 'objects')).find((file) => file.endsWith('.log')) ?? '';
  return join(folder, 'objects', name);
};

// What LevelDB drops in silence: a record whose checksum is wrong, and an end that is missing.
test.each<[what: string, act: (folder: string) => unknown, complaint: RegExp]>([
  [
    'an object is missing',
    (folder) => tampered(folder, (database) => database.del('o:/configmaps/ns/b')),
    /is damaged: 2 objects are there, and 3 were written\. Nothing of it was used/,
  ],
  [
    'an object is another',
    (folder) =>
      tampered(folder, (database) => database.put('o:/configmaps/ns/b', `3 ${JSON.stringify(object('ns', 'b', 'x'))}`)),
    /is damaged: an object is not as it was written/,
  ],
  [
    'an object is no JSON',
    (folder) => tampered(folder, (database) => database.put('o:/configmaps/ns/b', '3 {')),
    /is damaged: \/configmaps\/ns\/b is unreadable/,
  ],
  [
    'the end is cut off',
    (folder) => truncateSync(logOf(folder), statSync(logOf(folder)).size - 40),
    /is damaged: it ends at revision 3, and had come to 4/,
  ],
  ['everything is cut off', (folder) => truncateSync(logOf(folder), 0), /it ends at revision 1, and had come to 4/],
  [
    'bytes in the middle are others',
    (folder) => {
      const bytes = readFileSync(logOf(folder));
      bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 8);
      writeFileSync(logOf(folder), bytes);
    },
    /is damaged: /,
  ],
  [
    'the files are gone',
    (folder) => rmSync(join(folder, 'objects'), { recursive: true }),
    /it ends at revision 1, and had/,
  ],
  [
    'a newer kadmit wrote it',
    (folder) => tampered(folder, (database) => database.put('ledger', '2 4 3 0')),
    /was written by a newer kadmit \(version 2 of the format, this one reads 1\): use that one/,
  ],
])('%s: it is said, and nothing is read', async (_what, act, complaint) => {
  const folder = await written('a', 'b', 'c');
  await act(folder);
  await expect(open(folder)).rejects.toThrow(complaint);
});
