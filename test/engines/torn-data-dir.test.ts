import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataDirError, openDataDir } from '../../src/engines/data-dir/open-data-dir.ts';
import type { Snapshot } from '../../src/store/storage.ts';
import { keyOf, object } from '../store/contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'kadmit-torn-'));
const whole = join(folder, 'whole');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let contents: Snapshot;
/** Tables, a log, and what names them: as after a few restarts. */
beforeAll(async () => {
  for (let life = 0; life < 3; life += 1) {
    const { storage, close } = await openDataDir(whole, { sync: false });
    for (let index = 0; index < 12; index += 1) {
      const name = `${life}-${index}`;
      const made = await storage.create(keyOf('ns', name), object('ns', name, 'x'.repeat(40 * index)));
      if (index % 4 === 1) await storage.update(keyOf('ns', name), object('ns', name, 'new'), made.stored.revision);
      if (index % 4 === 2) await storage.remove(keyOf('ns', name), made.stored.revision);
    }
    contents = await storage.snapshot();
    await close();
  }
});

const filesOf = (): readonly string[] =>
  readdirSync(whole, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(whole, file)).isFile());

/** Every so many bytes of a file, and its ends. */
function placesIn(file: string): readonly number[] {
  const { size } = statSync(join(whole, file));
  const step = Math.max(1, Math.floor(size / 12));
  const places = [0, 1, size - 2, size - 1, ...Array.from({ length: 12 }, (_none, at) => at * step)];
  return [...new Set(places)].filter((place) => place >= 0 && place < size);
}

const harms: Readonly<Record<string, (path: string, place: number) => void>> = {
  'is cut off': (path, place) => truncateSync(path, place),
  'has another byte': (path, place) => {
    const bytes = readFileSync(path);
    bytes[place] = (bytes[place] ?? 0) ^ 0x41;
    writeFileSync(path, bytes);
  },
  'has a page of zeros': (path, place) => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, place, Math.min(place + 512, bytes.length)));
  },
  'is gone': (path) => rmSync(path),
};

test('there are tables, a log and all the others', () => {
  const kinds = filesOf().map((file) => file.replace(/^objects\//, '').replace(/\d+/, 'N'));
  expect(kinds).toEqual(expect.arrayContaining(['CURRENT', 'MANIFEST-N', 'N.ldb', 'N.log', 'REVISION']));
});

// Whatever happened to the files: all of it is there as it was, or one line says that it is not, and nothing is read.
test.each(Object.keys(harms))('wherever a file %s, what is read is whole', async (harm) => {
  const outcomes = { whole: 0, refused: 0 };
  const wrong: string[] = [];
  for (const file of filesOf()) {
    for (const place of harm === 'is gone' ? [0] : placesIn(file)) {
      const copy = join(folder, 'copy');
      rmSync(copy, { recursive: true, force: true });
      cpSync(whole, copy, { recursive: true });
      harms[harm]?.(join(copy, file), place);
      const { read, complaint = '' } = await openedAt(copy);
      if (isDeepStrictEqual(read, contents)) outcomes.whole += 1;
      else if (!read && /^[^\n]* (is damaged|was written by a newer kadmit)[^\n]*$/.test(complaint))
        outcomes.refused += 1;
      else wrong.push(`${file} at ${place}: ${complaint}`);
    }
  }
  expect(wrong).toEqual([]);
  // Some files do not matter, and some do.
  expect(outcomes.whole).toBeGreaterThan(0);
  expect(outcomes.refused).toBeGreaterThan(0);
});

/** What is read of it, or the line that says why nothing is. */
async function openedAt(directory: string): Promise<{ readonly read?: Snapshot; readonly complaint?: string }> {
  try {
    const { storage, close } = await openDataDir(directory, { sync: false });
    const read = await storage.snapshot();
    await close();
    return { read };
  } catch (error) {
    if (error instanceof DataDirError) return { complaint: error.message };
    throw error;
  }
}
