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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { outputToShow, type PageCommand, renderPage, type Piece, parsePage, normaliseOutput } from './walkthrough.ts';

/** The folder of the project on the page. */
const home = '/home/you/kadmit';

/** Ports on the pages. They may be in use, so each is replaced by a free one. */
const shownPorts = [6443, 6480, 8080, 8400];

const isLongRunning = /^(?:npm start|node scenarios\/)| &$/;

/** How long a program may take to start, and to print the output that a command causes. */
const startTime = 30_000;
const printTime = 3_000;

/**
 * Runs the commands of a page in a temporary folder and returns the page with their real output. Outputs that differ
 * only in times and ids stay as they are: an unchanged page is correct.
 */
export async function runWalkthrough(path: string, kubectl: string): Promise<string> {
  const terminal = await openTerminal(kubectl);
  try {
    const pieces: Piece[] = [];
    // eslint-disable-next-line no-await-in-loop -- commands run one after the other
    for (const piece of parsePage(readFileSync(path, 'utf8'))) pieces.push(await runPiece(terminal, piece));
    const newFiles = terminal.newFiles();
    if (newFiles.length > 0) throw new Error(`${path} leaves files behind: ${newFiles.join(', ')}`);
    return renderPage(pieces);
  } finally {
    await terminal.close();
  }
}

async function runPiece(terminal: Terminal, piece: Piece): Promise<Piece> {
  if (piece.type === 'text') return piece;
  if (piece.type === 'hidden') {
    const { lines, code } = await terminal.type(piece.command, []);
    if (code !== 0) throw new Error(`${piece.command} ended with ${code}: ${lines.join('\n')}`);
    return piece;
  }
  if (piece.type === 'stop') {
    await terminal.stop(piece.command);
    return piece;
  }
  const commands: PageCommand[] = [];
  for (const { command, output } of piece.commands) {
    const { lines, code } = await terminal.type(command, output);
    if (!piece.shows && code !== 0) throw new Error(`${command} ended with ${code}: ${lines.join('\n')}`);
    commands.push({ command, output: piece.shows ? outputToShow(output, lines) : [] });
  }
  return { ...piece, commands };
}

/** A terminal in the project's folder. */
interface Terminal {
  readonly type: (command: string, expected: readonly string[]) => Promise<{ lines: readonly string[]; code: number }>;
  readonly stop: (command: string) => Promise<void>;
  /** Files that git status would list. */
  readonly newFiles: () => readonly string[];
  readonly close: () => Promise<void>;
}

async function openTerminal(kubectl: string): Promise<Terminal> {
  const ports = new Map<number, number>();
  for (const port of shownPorts) ports.set(port, await freePort());
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kadmit-walkthrough-')));
  const onFreePorts = (text: string): string => replacePorts(text, [...ports]);
  const onPagePorts = (text: string): string =>
    replacePorts(
      text,
      [...ports].map(([from, to]) => [to, from]),
    ).replaceAll(folder, home);
  prepareProject(folder, kubectl, onFreePorts);
  const own = new Set(filesIn(folder));

  const programs = new Map<string, Program>();
  const setup: string[] = ['shopt -s expand_aliases'];
  const run = (script: string): ChildProcess =>
    spawn('bash', ['-c', script], { cwd: folder, env: environment(folder), stdio: ['ignore', 'pipe', 'pipe'] });

  return {
    type: async (command, expected) => {
      if (command.startsWith('npm ci')) return { lines: [], code: 0 };
      if (isLongRunning.test(command)) {
        const program = follow(run(`exec ${onFreePorts(programOf(command))}`), command.endsWith(' &'));
        programs.set(command, program);
        return { lines: splitLines(await firstOutput(program, expected, onPagePorts)), code: 0 };
      }
      const { text, code } = await waitForExit(run([...setup, onFreePorts(command)].join('\n')));
      if (/^(?:export|cd|alias) /.test(command)) setup.push(command);
      return {
        lines: await withBackground(splitLines(onPagePorts(text)), expected, [...programs.values()], onPagePorts),
        code,
      };
    },
    stop: async (command) => interrupt(programs.get(command)?.child),
    newFiles: () => filesIn(folder).filter((file) => !own.has(file)),
    close: async () => {
      await Promise.all([...programs.values()].map(({ child }) => interrupt(child)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A program that runs while further commands are typed. */
interface Program {
  readonly child: ChildProcess;
  /** Its output appears in the same terminal. */
  readonly inBackground: boolean;
  readonly take: () => string;
  readonly pending: () => string;
  readonly errors: () => string;
}

function follow(child: ChildProcess, inBackground: boolean): Program {
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

/** The lines of a command, and the output that it causes in background programs. */
async function withBackground(
  lines: readonly string[],
  expected: readonly string[],
  programs: readonly Program[],
  onPagePorts: (text: string) => string,
): Promise<readonly string[]> {
  const running = programs.filter(({ inBackground, child }) => inBackground && child.exitCode === null);
  const both = (): readonly string[] => [
    ...lines,
    ...splitLines(onPagePorts(running.map(({ pending }) => pending()).join(''))),
  ];
  const end = performance.now() + printTime;
  while (running.length > 0 && !isUnchanged(expected, both()) && performance.now() < end) await sleep(20);
  const all = both();
  for (const { take } of running) take();
  return all;
}

const isUnchanged = (expected: readonly string[], actual: readonly string[]): boolean =>
  normaliseOutput(expected.join('\n')) === normaliseOutput(actual.join('\n'));

/** Prepares the project: built, with its dependencies, and this kubectl first on the PATH. */
function prepareProject(folder: string, kubectl: string, onFreePorts: (text: string) => string): void {
  for (const name of ['dist', 'node_modules']) symlinkSync(realpathSync(name), join(folder, name));
  cpSync('scenarios', join(folder, 'scenarios'), { recursive: true });
  for (const file of readdirSync(join(folder, 'scenarios'), { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, 'scenarios', file);
    if (/\.(?:mjs|yaml)$/.test(file)) writeFileSync(path, onFreePorts(readFileSync(path, 'utf8')));
  }
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'kubectl'), `#!/bin/sh\nexec '${kubectl}' "$@"\n`, { mode: 0o755 });
}

/** kubectl's cache is in HOME, which is this folder; git ignores .kadmit. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => !/^\.k(?:admit|ube)(?:$|\/)/.test(file));

/** An environment without kubeconfig, caches and proxies. */
const environment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: folder,
});

/** The program of `npm start`, or of `kadmit` in the background, on free ports. */
const programOf = (command: string): string =>
  command
    .replace(/^npm start(?: --)?/, 'kadmit serve')
    .replace(/^kadmit (serve|dev)/, 'node dist/main.js $1 --secure-port 6443 --ui-port 6480')
    .replace(/ &$/, '');

const replacePorts = (text: string, ports: readonly (readonly [from: number, to: number])[]): string => {
  const to = new Map(ports);
  return text.replaceAll(/\d{4,5}/g, (digits) => String(to.get(Number(digits)) ?? digits));
};

const splitLines = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** The output of a server up to the last line on the page. */
async function firstOutput(
  { child, take, pending, errors }: Program,
  expected: readonly string[],
  onPagePorts: (text: string) => string,
): Promise<string> {
  const last = normaliseOutput(expected.at(-1) ?? '');
  const end = performance.now() + startTime;
  while (
    !(pending().endsWith('\n') && normaliseOutput(onPagePorts(pending())).includes(last)) &&
    performance.now() < end
  ) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${pending()}${errors()}`);
    await sleep(20);
  }
  return onPagePorts(take());
}

function waitForExit(child: ChildProcess): Promise<{ text: string; code: number }> {
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
