import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputToShow, type PageCommand, pageOf, type Piece, piecesOf, steady } from './walkthrough.ts';

/** Where the reader of a page has the project. */
const home = '/home/you/kadmit';

/** Ports that pages name. Somebody else may listen there, so each is replaced by a free one. */
const shownPorts = [6443, 6480, 8080, 8400];

const startsAndStays = /^(?:npm start|node scenarios\/)| &$/;

/** How long a program may take to start, and to print what a command causes. */
const startTime = 30_000;
const printTime = 3_000;

/**
 * Does in a folder of its own what a page shows its reader to type, and returns the page with the output that came.
 * Outputs that differ in times and ids only stay as they are, so an unchanged page is a right one.
 */
export async function playWalkthrough(path: string, kubectl: string): Promise<string> {
  const reader = await createReader(kubectl);
  try {
    const pieces: Piece[] = [];
    // eslint-disable-next-line no-await-in-loop -- a reader types one command after the other
    for (const piece of piecesOf(readFileSync(path, 'utf8'))) pieces.push(await playPiece(reader, piece));
    const left = reader.newFiles();
    if (left.length > 0) throw new Error(`${path} leaves files behind: ${left.join(', ')}`);
    return pageOf(pieces);
  } finally {
    await reader.leave();
  }
}

async function playPiece(reader: Reader, piece: Piece): Promise<Piece> {
  if (piece.type === 'text') return piece;
  if (piece.type === 'hidden') {
    const { lines, code } = await reader.type(piece.command, []);
    if (code !== 0) throw new Error(`${piece.command} ended with ${code}: ${lines.join('\n')}`);
    return piece;
  }
  if (piece.type === 'stop') {
    await reader.stop(piece.command);
    return piece;
  }
  const commands: PageCommand[] = [];
  for (const { command, output } of piece.commands) {
    const { lines, code } = await reader.type(command, output);
    if (!piece.shows && code !== 0) throw new Error(`${command} ended with ${code}: ${lines.join('\n')}`);
    commands.push({ command, output: piece.shows ? outputToShow(output, lines) : [] });
  }
  return { ...piece, commands };
}

/** Somebody at a terminal in the project's folder. */
interface Reader {
  readonly type: (command: string, shown: readonly string[]) => Promise<{ lines: readonly string[]; code: number }>;
  readonly stop: (command: string) => Promise<void>;
  /** Files that git status would list. */
  readonly newFiles: () => readonly string[];
  readonly leave: () => Promise<void>;
}

async function createReader(kubectl: string): Promise<Reader> {
  const ports = new Map<number, number>();
  for (const port of shownPorts) ports.set(port, await freePort());
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kadmit-walkthrough-')));
  const real = (text: string): string => replacePorts(text, [...ports]);
  const shown = (text: string): string =>
    replacePorts(
      text,
      [...ports].map(([from, to]) => [to, from]),
    ).replaceAll(folder, home);
  layOut(folder, kubectl, real);
  const own = new Set(filesIn(folder));

  const started = new Map<string, Started>();
  const remembered: string[] = ['shopt -s expand_aliases'];
  const run = (script: string): ChildProcess =>
    spawn('bash', ['-c', script], { cwd: folder, env: environment(folder), stdio: ['ignore', 'pipe', 'pipe'] });

  return {
    type: async (command, expected) => {
      if (command.startsWith('npm ci')) return { lines: [], code: 0 };
      if (startsAndStays.test(command)) {
        const program = follow(run(`exec ${real(programOf(command))}`), command.endsWith(' &'));
        started.set(command, program);
        return { lines: linesIn(await firstOutput(program, expected, shown)), code: 0 };
      }
      const { text, code } = await finished(run([...remembered, real(command)].join('\n')));
      if (/^(?:export|cd|alias) /.test(command)) remembered.push(command);
      return { lines: await withBackground(linesIn(shown(text)), expected, [...started.values()], shown), code };
    },
    stop: async (command) => interrupt(started.get(command)?.child),
    newFiles: () => filesIn(folder).filter((file) => !own.has(file)),
    leave: async () => {
      await Promise.all([...started.values()].map(({ child }) => interrupt(child)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A program that runs while the reader types on. */
interface Started {
  readonly child: ChildProcess;
  /** Its output appears in the terminal in which the reader types. */
  readonly inBackground: boolean;
  readonly take: () => string;
  readonly pending: () => string;
  readonly errors: () => string;
}

function follow(child: ChildProcess, inBackground: boolean): Started {
  let text = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const take = (): string => {
    const taken = text;
    text = '';
    return taken;
  };
  return { child, inBackground, take, pending: () => text, errors: () => errors };
}

/** The lines of a command, and what programs in the background print because of it. */
async function withBackground(
  lines: readonly string[],
  expected: readonly string[],
  started: readonly Started[],
  shown: (text: string) => string,
): Promise<readonly string[]> {
  const running = started.filter(({ inBackground, child }) => inBackground && child.exitCode === null);
  const both = (): readonly string[] => [...lines, ...linesIn(shown(running.map(({ pending }) => pending()).join('')))];
  const end = performance.now() + printTime;
  while (running.length > 0 && !isSteady(expected, both()) && performance.now() < end) await sleep(20);
  const all = both();
  for (const { take } of running) take();
  return all;
}

const isSteady = (expected: readonly string[], actual: readonly string[]): boolean =>
  steady(expected.join('\n')) === steady(actual.join('\n'));

/** The project as a reader has it: built, with its dependencies, and this kubectl first on the PATH. */
function layOut(folder: string, kubectl: string, real: (text: string) => string): void {
  for (const name of ['dist', 'node_modules']) symlinkSync(realpathSync(name), join(folder, name));
  cpSync('scenarios', join(folder, 'scenarios'), { recursive: true });
  for (const file of readdirSync(join(folder, 'scenarios'), { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, 'scenarios', file);
    if (/\.(?:mjs|yaml)$/.test(file)) writeFileSync(path, real(readFileSync(path, 'utf8')));
  }
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'kubectl'), `#!/bin/sh\nexec '${kubectl}' "$@"\n`, { mode: 0o755 });
}

/** kubectl's cache is in HOME, which is this folder; git ignores .kadmit. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => !/^\.k(?:admit|ube)(?:$|\/)/.test(file));

/** Nothing of whoever runs the tests: no kubeconfig, no caches, no proxies. */
const environment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: folder,
});

/** What `npm start`, or `kadmit` in the background, runs: on ports that are free. */
const programOf = (command: string): string =>
  command
    .replace(/^npm start(?: --)?/, 'kadmit serve')
    .replace(/^kadmit (serve|dev)/, 'node dist/main.js $1 --secure-port 6443 --ui-port 6480')
    .replace(/ &$/, '');

const replacePorts = (text: string, ports: readonly (readonly [from: number, to: number])[]): string => {
  const to = new Map(ports);
  return text.replaceAll(/\d{4,5}/g, (digits) => String(to.get(Number(digits)) ?? digits));
};

const linesIn = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** What a server prints until the last line that the page shows is there. */
async function firstOutput(
  { child, take, pending, errors }: Started,
  expected: readonly string[],
  shown: (text: string) => string,
): Promise<string> {
  const last = steady(expected.at(-1) ?? '');
  const end = performance.now() + startTime;
  while (!(pending().endsWith('\n') && steady(shown(pending())).includes(last)) && performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${pending()}${errors()}`);
    await sleep(20);
  }
  return shown(take());
}

function finished(child: ChildProcess): Promise<{ text: string; code: number }> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ text, code: code ?? 1 }));
  });
}

async function interrupt(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGINT');
  await gone;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
