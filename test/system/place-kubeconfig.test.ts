import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { placeKubeconfig } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder();
const servers: Kadmit[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

test('a second server of a folder leaves the kubeconfig of the first one while that runs', async () => {
  const path = join(folder, 'kubeconfig');
  const first = await startKadmit();
  const second = await startKadmit();
  servers.push(second);
  expect(await placeKubeconfig(path, first, false)).toMatchObject({ path, note: '' });
  const placed = await placeKubeconfig(path, second, false);
  expect(placed).toMatchObject({
    path: `${path}-${second.port}`,
    note: `${path} points to the server at ${first.url}, which is running`,
  });
  expect(readFileSync(path, 'utf8')).toContain(first.url);
  expect(readFileSync(placed.path, 'utf8')).toContain(second.url);
  placed.remove();
  expect(existsSync(placed.path)).toBe(false);
  await expect(placeKubeconfig(path, second, true)).rejects.toThrow('name another file with --write-kubeconfig');
  await first.close();
  expect(await placeKubeconfig(path, second, false)).toMatchObject({ path, note: '' });
  expect(readFileSync(path, 'utf8')).toContain(second.url);
});
