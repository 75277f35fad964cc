import { ConfigError } from '../../../adapters/config/config-error.ts';
import { findScenarios } from '../../../testing/scenario/load-scenario.ts';
import { formatLimit } from '../../../testing/scenario/run-limits.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes, type Io } from '../terminal/io.ts';
import { terminateProcess } from '../terminal/platform.ts';
import type { TestOptions } from './test-flags.ts';
import { finish, reportNoneSelected, reportScriptless, runOnce, type TestOutcome } from './test-once.ts';
import { createScreen } from './test-reports.ts';
import { runInThreads, threadsFor } from './test-threads.ts';
import { dirname } from 'node:path';
import { createChangeQueue, watchFiles } from '../terminal/watch-files.ts';
import { isPathWithin } from '../../../adapters/files/portable-files.ts';

interface TestPorts {
  readonly io: Io;
  readonly parts: CommandContext;
}

export async function testScenarios(
  paths: readonly string[],
  options: TestOptions,
  { io, parts }: TestPorts,
): Promise<number> {
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => {
    bugs.push(error);
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.error(`kadmit test: this is a bug in kadmit: ${text}`);
  };
  const runOver = guardExit((text) => io.error(`kadmit test: ${text}`));
  try {
    const exitCode = options.watch
      ? await watchAll(paths, options, { io, parts, onBug })
      : await runScenarios(paths, options, { io, parts, onBug });
    return exitCode === exitCodes.fine && bugs.length > 0 ? exitCodes.failed : exitCode;
  } finally {
    runOver();
  }
}

type Run = TestPorts & { readonly onBug: (error: unknown) => void };

async function watchAll(paths: readonly string[], options: TestOptions, { io, parts, onBug }: Run): Promise<number> {
  const worlds = await parts.createWorlds(onBug);
  const ignore = [options.traceDir, ...options.report.map(({ file }) => file)].filter((path) => path !== '');
  try {
    return await watchScenarios({ paths, ignore }, (files) => runOnce(files, { options, io, worlds }), io);
  } finally {
    await worlds.close();
  }
}

async function runScenarios(paths: readonly string[], options: TestOptions, outside: Run): Promise<number> {
  const found = findScenarios(paths);
  if (found.outcome === 'missing') throw new ConfigError(found.problem);
  const { testThread } = outside.parts;
  const { target, compareWith, outage } = options;
  // The process that uses a cluster cleans it up.
  const isApart = target === '' && compareWith === '' && !outage;
  return testThread && isApart
    ? runInWorkers(found.files, options, { ...outside, testThread })
    : runInProcess(found.files, options, outside);
}

/** In threads: a script that ends its thread does not end the run. */
async function runInWorkers(
  files: readonly string[],
  options: TestOptions,
  { io, onBug, testThread: module }: Run & { readonly testThread: URL },
): Promise<number> {
  const screen = createScreen(options, io);
  const ending = createRunEnd(options.timeout);
  const report = (text: string): void => io.error(`kadmit test: ${text}`);
  try {
    const threads = threadsFor(files, options);
    const { signal } = ending;
    const run = await runInThreads(files, threads, options, { module, screen, report, onBug, signal });
    reportScriptless(run.scriptless, report);
    if (run.outcomes.length + run.unreadable.length === 0 && !signal.aborted) return reportNoneSelected(run, io);
    screen.summary(run);
    const exitCode = await finish(run, { options, io });
    return ending.isInterrupted() ? interruptedCode : exitCode;
  } finally {
    ending.close();
  }
}

/** In this thread: with a cluster, or without threads. */
async function runInProcess(
  files: readonly string[],
  options: TestOptions,
  { io, parts, onBug }: Run,
): Promise<number> {
  const worlds = await parts.createWorlds(onBug);
  const timer = options.timeout === 0 ? undefined : setTimeout(terminateProcess, options.timeout);
  try {
    return (await runOnce(files, { options, io, worlds })).exitCode;
  } finally {
    clearTimeout(timer);
    await worlds.close();
  }
}

interface RunEnd {
  /** Its reason is a string. */
  readonly signal: AbortSignal;
  /** Whether Ctrl-C ended the run. */
  readonly isInterrupted: () => boolean;
  readonly close: () => void;
}

/** Ctrl-C, SIGTERM or the timeout (0: none) ends the run; a second Ctrl-C ends the process. */
function createRunEnd(timeout: number): RunEnd {
  const controller = new AbortController();
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
    controller.abort('interrupted');
    off();
  };
  const off = (): void => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  for (const signal of signals) process.on(signal, interrupt);
  const late = (): void => controller.abort(`--timeout ${formatLimit(timeout)} is over`);
  const timer = timeout > 0 ? setTimeout(late, timeout) : undefined;
  return {
    signal: controller.signal,
    isInterrupted: () => isInterrupted,
    close: () => {
      off();
      clearTimeout(timer);
    },
  };
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** As in a shell. */
const interruptedCode = 130;

/** Fails the process when a script calls process.exit(0) during the run. Returns a function to call after the run. */
function guardExit(printError: (text: string) => void): () => void {
  const onExit = (code: number): void => {
    if (code !== 0) return;
    printError('the process ended during the run; a script may have called process.exit');
    process.exitCode = 1;
  };
  process.on('exit', onExit);
  return () => process.off('exit', onExit);
}

interface WatchedPaths {
  readonly paths: readonly string[];
  /** Files and folders that the runs write. */
  readonly ignore: readonly string[];
}

/**
 * Runs all scenarios, then those with a changed file: one they were read from, or any in their folder. Enter runs all,
 * q or Ctrl-C ends it. Resolves with the exit code.
 */
async function watchScenarios(
  { paths, ignore }: WatchedPaths,
  run: (files: readonly string[]) => Promise<TestOutcome>,
  io: Io,
): Promise<number> {
  const sources = new Map<string, readonly string[]>();
  const runThese = async (files: readonly string[]): Promise<void> => {
    if (files.length === 0) return;
    const finished = await run(files);
    for (const [file, read] of finished.sources) sources.set(file, read);
    watcher.add([...new Set([...finished.sources.values()].flat())]);
    io.error(`waiting for changes${process.stdin.isTTY ? '; enter runs all, q quits' : ''}`);
  };
  const all = (): readonly string[] => {
    const found = findScenarios(paths);
    if (found.outcome === 'missing') io.error(`kadmit test: ${found.problem}`);
    return found.outcome === 'missing' ? [] : found.files;
  };
  const watcher = watchFiles(paths, ignore);
  const changes = createChangeQueue(async (changed) => {
    await runThese(all().filter((file) => !sources.has(file) || changed.some((one) => isAffected(file, one, sources))));
  });
  watcher.on('all', (_event, path) => changes.add(path));
  await runThese(all());
  await untilQuit(() => changes.run(() => runThese(all())));
  await watcher.close();
  await changes.close();
  return exitCodes.fine;
}

const isAffected = (scenario: string, changed: string, sources: ReadonlyMap<string, readonly string[]>): boolean =>
  [dirname(scenario), ...(sources.get(scenario) ?? [])].some((source) => isPathWithin(changed, source));

/** Resolves at q, Ctrl-C or SIGTERM. */
function untilQuit(runAll: () => void): Promise<void> {
  const { stdin } = process;
  return new Promise((done) => {
    const quit = (): void => {
      process.off('SIGINT', quit);
      process.off('SIGTERM', quit);
      if (stdin.isTTY) {
        stdin.off('data', onKey);
        stdin.setRawMode(false);
        stdin.pause();
      }
      done();
    };
    const onKey = (data: Buffer): void => {
      const key = data.toString();
      if (key === 'q' || key === '\u0003') quit();
      else if (key === '\r' || key === '\n') runAll();
    };
    process.on('SIGINT', quit);
    process.on('SIGTERM', quit);
    if (stdin.isTTY) {
      stdin.setRawMode(true);
      stdin.resume();
      stdin.on('data', onKey);
    }
  });
}
