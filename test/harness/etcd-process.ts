import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Is etcd installed? In Debian it is `etcd-server`. */
export const hasEtcd = spawnSync('etcd', ['--version']).status === 0;

export interface EtcdProcess {
  readonly url: string;
  /** Ends it as a failing machine does. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Ends it and removes what it kept. */
  readonly close: () => Promise<void>;
}

/** An etcd of its own with nothing in it. */
export async function startEtcd(): Promise<EtcdProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-etcd-'));
  const [url, peer] = [await freeUrl(), await freeUrl()];
  const spawned = () =>
    spawn(
      'etcd',
      [
        `--data-dir=${folder}`,
        `--listen-client-urls=${url}`,
        `--advertise-client-urls=${url}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=default=${peer}`,
        '--unsafe-no-fsync',
        '--logger=zap',
        '--log-level=error',
      ],
      { stdio: 'ignore' },
    );
  let child = spawned();
  const ready = async (): Promise<void> => {
    while (!(await isHealthy(url))) {
      if (child.exitCode !== null) throw new Error('etcd ended before it was healthy');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await ready();
  return {
    url,
    kill,
    start: async () => {
      child = spawned();
      await ready();
    },
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    async (response) => (await response.text()).includes('"true"'),
    () => false,
  );

async function freeUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
