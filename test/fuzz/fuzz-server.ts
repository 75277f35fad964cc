import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Serving } from './case.ts';
import { processorWaitMs } from './processor-wait.ts';

/** The report of the probe since the last query. */
export interface LoopReport {
  /** The longest time that the event loop was blocked, in processor time. */
  readonly worstMs: number;
  /** Changes of the built-in prototypes. */
  readonly polluted: readonly string[];
}

export interface Diagnosis {
  readonly descriptors: number;
  readonly timers: number;
  readonly heapUsed: number;
  readonly external: number;
}

/** A running server with the probe in it. */
export interface FuzzServer {
  readonly port: number;
  readonly credentials: { readonly ca: string; readonly cert: string; readonly key: string };
  readonly kubeconfig: string;
  readonly reportLoop: () => Promise<LoopReport>;
  /** How long the server and the fuzzer have waited for a processor in all. */
  readonly starvedMs: () => number;
  readonly diagnose: () => Promise<Diagnosis>;
  /** The output to standard error since the last call. */
  readonly takeErrors: () => string;
  /** The exit code or signal of an unexpected end; '' while it runs. */
  readonly ended: () => string;
  readonly stop: () => Promise<void>;
}

export interface FuzzServerOptions {
  readonly program: string;
  readonly nodeFlags?: readonly string[];
  readonly serving?: Serving;
}

const probe = fileURLToPath(new URL('probe.mjs', import.meta.url));
/** The probe responds between two iterations of the event loop; no response for so long is a hang. */
const patienceMs = 60_000;

/** `kadmit serve` on a free port, with its files in a temporary folder. */
export async function startFuzzServer({ program, nodeFlags = [], serving }: FuzzServerOptions): Promise<FuzzServer> {
  const directory = mkdtempSync(join(tmpdir(), 'kadmit-fuzz-'));
  for (const [name, text] of Object.entries(serving?.files ?? {})) writeFileSync(join(directory, name), text);
  const flags = (serving?.flags ?? []).map((flag) => flag.replace('$DIR', directory));
  const serve = ['serve', '--secure-port=0', '--ui-port=-1', `--cert-dir=${directory}`, ...flags];
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', probe, ...nodeFlags, program, ...serve, `--write-kubeconfig=${directory}/kubeconfig`],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-100_000)));
  let ended = '';
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = `it ended with ${signal ?? `code ${code}`}`;
      process.off('exit', endWithUs);
      rmSync(directory, { recursive: true, force: true });
      resolve();
    });
  });
  const port = await readyPort(child, () => `${program} ${ended}: ${said}`);
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
  const ask = createProbeClient(child);
  return {
    port,
    credentials: { ca: read('ca.crt'), cert: read('admin.crt'), key: read('admin.key') },
    kubeconfig: join(directory, 'kubeconfig'),
    reportLoop: () => ask('turn'),
    starvedMs: () => processorWaitMs([child.pid, process.pid]),
    diagnose: () => ask('diagnosis'),
    takeErrors: () => {
      const text = said;
      said = '';
      return text;
    },
    ended: () => ended,
    stop: () => {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

function readyPort(child: ChildProcess, problem: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const port = /ready at https:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', () => reject(new Error(problem())));
  });
}

/** Queries the probe; rejects when the process has ended. */
function createProbeClient(child: ChildProcess) {
  let asked = 0;
  return <Answer>(question: 'turn' | 'diagnosis'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      asked += 1;
      const id = asked;
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        child.off('message', listen);
        child.off('exit', gone);
        settle();
      };
      const listen = (message: unknown): void => {
        if (isAnswer<Answer>(message, id)) finish(() => resolve(message));
      };
      const gone = (): void => finish(() => reject(new Error('the server is gone')));
      const timer = setTimeout(() => finish(() => reject(new Error('the probe is silent'))), patienceMs);
      child.on('message', listen);
      child.once('exit', gone);
      if (child.connected) child.send({ id, question }, (error) => error && gone());
      else gone();
    });
}

const isAnswer = <Answer>(message: unknown, id: number): message is Answer =>
  typeof message === 'object' && message !== null && 'id' in message && message.id === id;
