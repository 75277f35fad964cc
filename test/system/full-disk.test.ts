import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DataDirError, openDataDir } from '../../src/adapters/storage/data-dir/open-data-dir.ts';
import { keyOf, object } from '../apiserver/storage/contract.ts';

const disk = mkdtempSync(join(tmpdir(), 'kadmit-full-'));
const mount = (...args: readonly string[]): boolean => spawnSync('mount', args).status === 0;
/** A separate small file system; only root can create one. */
const hasDisk = mount('-t', 'tmpfs', '-o', 'size=2m', 'kadmit-full', disk);
afterAll(() => {
  if (hasDisk) spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

test.runIf(!hasDisk)('NOT RUN, only root can mount a small disk: --data-dir on a full one', () => {
  expect(hasDisk).toBe(false);
});

describe.skipIf(!hasDisk)('a data directory on a disk that fills up', () => {
  const folder = join(disk, 'data');
  const text = 'x'.repeat(20_000);

  test('acknowledged writes are stored, refused ones are not, and with free space writes succeed again', async () => {
    const first = await openDataDir(folder, { sync: true });
    const acknowledged: string[] = [];
    const refused: string[] = [];
    for (let index = 0; index < 200; index += 1) {
      const name = `n${String(index).padStart(3, '0')}`;
      await first.storage.create(keyOf('ns', name), object('ns', name, text)).then(
        () => acknowledged.push(name),
        (error: unknown) => {
          expect(error).toMatchObject({ status: { code: 500, message: expect.stringMatching(/cannot be written/) } });
          refused.push(name);
        },
      );
    }
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(refused.length).toBeGreaterThan(10);
    // After a failed write no write succeeds, and a failed write must not be stored.
    expect([...acknowledged, ...refused]).toEqual([...acknowledged, ...refused].toSorted());
    await first.close();

    // Without room it may not start; it says so in one line, and harms nothing.
    const start = await openDataDir(folder, { sync: true }).then(
      async ({ close }) => close(),
      (error: unknown) => error,
    );
    expect(start === undefined || start instanceof DataDirError).toBe(true);

    expect(mount('-o', 'remount,size=16m', disk)).toBe(true);
    const second = await openDataDir(folder, { sync: true });
    const { entries } = await second.storage.snapshot();
    expect(entries.map(({ key }) => key.name)).toEqual(acknowledged);
    expect(entries.every(({ stored }) => stored.object['data'] !== undefined)).toBe(true);
    for (const name of refused) {
      expect(await second.storage.create(keyOf('ns', name), object('ns', name, text))).toMatchObject({
        outcome: 'stored',
      });
    }
    await second.close();
  });
});
