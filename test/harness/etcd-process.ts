import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

/** Is etcd installed? In Debian it is `etcd-server`. */
export const hasEtcd = spawnSync('etcd', ['--version']).status === 0;

/** PEM files: the serving certificate of etcd, and the CA of its clients. */
export interface EtcdTls {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  /** For health checks. */
  readonly client: { readonly certificate: string; readonly key: string };
}

export interface EtcdProcess {
  readonly url: string;
  /** Kills it, as a machine failure. */
  readonly kill: () => Promise<void>;
  /** Stops it gracefully. */
  readonly stop: () => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly start: () => Promise<void>;
  /** Stops it and removes its data. */
  readonly close: () => Promise<void>;
}

export interface EtcdOptions {
  readonly tls?: EtcdTls;
}

/** Starts an empty etcd. */
export async function startEtcd(options: EtcdOptions = {}): Promise<EtcdProcess> {
  const [member] = await startEtcdMembers(1, options);
  if (!member) throw new Error('there is no member');
  return member;
}

/** Starts all members of one etcd. */
export async function startEtcdMembers(count: number, options: EtcdOptions = {}): Promise<readonly EtcdProcess[]> {
  const places: MemberAddress[] = [];
  for (let index = 0; index < count; index += 1) {
    const client = await freeUrl();
    places.push({
      name: `m${index}`,
      client: options.tls ? client.replace('http:', 'https:') : client,
      peer: await freeUrl(),
    });
  }
  const members = places.map((place) => createMember(place, places, options));
  try {
    await Promise.all(members.map((member) => member.start()));
  } catch (error) {
    // When one does not start, for example because its port is taken, the others are stopped.
    await Promise.all(members.map((member) => member.close()));
    throw error;
  }
  return members;
}

interface MemberAddress {
  readonly name: string;
  readonly client: string;
  readonly peer: string;
}

function createMember(place: MemberAddress, places: readonly MemberAddress[], options: EtcdOptions): EtcdProcess {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-etcd-'));
  const flags = flagsOf(place, places, folder, options);
  let child: ChildProcess | undefined;
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await gone;
  };
  return {
    url: place.client,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    start: async () => {
      const started = spawn('etcd', flags, { stdio: 'ignore' });
      child = started;
      while (!(await isHealthy(place.client, options.tls))) {
        if (started.exitCode !== null) throw new Error('etcd ended before it was healthy');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    close: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const flagsOf = (
  { name, client, peer }: MemberAddress,
  places: readonly MemberAddress[],
  folder: string,
  { tls }: EtcdOptions,
): readonly string[] => [
  `--name=${name}`,
  `--data-dir=${folder}`,
  `--listen-client-urls=${client}`,
  `--advertise-client-urls=${client}`,
  `--listen-peer-urls=${peer}`,
  `--initial-advertise-peer-urls=${peer}`,
  `--initial-cluster=${places.map((one) => `${one.name}=${one.peer}`).join(',')}`,
  ...(tls
    ? ['--client-cert-auth', `--trusted-ca-file=${tls.ca}`, `--cert-file=${tls.certificate}`, `--key-file=${tls.key}`]
    : []),
  '--unsafe-no-fsync',
  '--logger=zap',
  '--log-level=error',
];

/** Whether it responds and has a leader. */
async function isHealthy(url: string, tls?: EtcdTls): Promise<boolean> {
  const request = tls
    ? https.get(`${url}/health`, {
        ca: readFileSync(tls.ca),
        cert: readFileSync(tls.client.certificate),
        key: readFileSync(tls.client.key),
        agent: false,
      })
    : http.get(`${url}/health`, { agent: false });
  request.setTimeout(1000, () => request.destroy());
  try {
    const [response]: http.IncomingMessage[] = await once(request, 'response');
    return (await response?.toArray())?.join('').includes('"true"') ?? false;
  } catch {
    return false;
  }
}

const freeUrl = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;
