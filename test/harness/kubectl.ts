import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { KadmitProcess } from './kadmit-process.ts';

/** The output of a command without the final newline, and its exit code; -1 after a timeout. */
export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Kubectl {
  /** `args` is split at spaces, except inside 'single quotes'. */
  readonly run: (args: string, stdin?: string, env?: NodeJS.ProcessEnv) => Promise<Printed>;
}

/** The kubectl on the PATH, and those of KUBECTLS, separated by colons or spaces. */
export function findKubectls(): readonly string[] {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'kubectl'))
    .find(isProgram);
  const named = (process.env['KUBECTLS'] ?? '').split(/[:\s]+/).filter((path) => path !== '');
  return [...new Set([...(onPath === undefined ? [] : [onPath]), ...named])];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const timeoutMs = 20_000;
const maxConcurrent = 3;

/** This kubectl, as the administrator of that server, with its own caches and preferences. */
export function createKubectl(
  path: string,
  { kubeconfig, directory }: Pick<KadmitProcess, 'kubeconfig' | 'directory'>,
  home: string,
): Kubectl {
  const ownHome = join(directory, home);
  mkdirSync(ownHome, { recursive: true });
  const env = {
    PATH: process.env['PATH'],
    HOME: ownHome,
    KUBECONFIG: kubeconfig,
    KUBE_EDITOR: 'sed -i s/before/after/',
  };
  const take = limitConcurrency(maxConcurrent);
  return {
    run: (args, stdin = '', more = {}) =>
      take(() => runOnce(path, splitArguments(args), { env: { ...env, ...more }, stdin })),
  };
}

const splitArguments = (text: string): readonly string[] =>
  [...text.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));

interface ProcessInput {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string;
}

function runOnce(path: string, args: readonly string[], { env, stdin }: ProcessInput): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { env, timeout: timeoutMs });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.on('error', () => {}); // It may end before it has read all.
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? -1, out: out.trimEnd(), err: removeOwnWarnings(err).trimEnd() }),
    );
    child.stdin.end(stdin);
  });
}

/** Removes kadmit's own warnings about objects without an effect. */
const removeOwnWarnings = (err: string): string => err.replaceAll(/^Warning: kadmit stores this object and .*\n/gm, '');

/** Limits the number of concurrent calls. */
function limitConcurrency(most: number): <T>(act: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await act();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
