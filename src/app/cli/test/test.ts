import { findScenarios } from '../../../testing/scenario/find-scenarios.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { Parts } from '../command.ts';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import { exitCodes } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createEnding, guardExit, interruptedCode } from './test-ending.ts';
import { initScenario } from './test-init.ts';
import { finish, noneWanted, runOnce, tellScriptless } from './test-once.ts';
import { testFlags, testHelp } from './test-options.ts';
import type { TestOptions } from './test-options.ts';
import { testReviews } from './test-reviews.ts';
import { createScreen } from './test-screen.ts';
import { runInThreads, threadsFor } from './test-threads.ts';
import { usageProblem } from './test-usage.ts';
import { watchScenarios } from './test-watch.ts';

/** `kadmit test`: runs scenarios and says what failed and why. */
export async function test(args: readonly string[], io: Io, parts: Parts): Promise<number> {
  const parsed = parseFlags(testFlags, args);
  if (parsed.outcome === 'help') {
    io.out(testHelp());
    return exitCodes.fine;
  }
  const problem = parsed.outcome === 'usage' ? parsed.problem : usageProblem(parsed.options, parsed.rest);
  if (problem !== undefined || parsed.outcome === 'usage') {
    io.error(`kadmit test: ${problem ?? ''}`);
    return exitCodes.usage;
  }
  const { options, rest } = parsed;
  try {
    if (options.init !== '') return initScenario(options.init, io);
    if (options.webhook !== '') return await testReviews(rest, options, { io, readYaml: parts.readYaml });
    return await testScenarios(rest, options, { io, parts });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    io.error(`kadmit test: ${error.message}`);
    return exitCodes.usage;
  }
}

interface Outside {
  readonly io: Io;
  readonly parts: Parts;
}

async function testScenarios(paths: readonly string[], options: TestOptions, { io, parts }: Outside): Promise<number> {
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
      : await runFound(paths, options, { io, parts, onBug });
    return exitCode === exitCodes.fine && bugs.length > 0 ? exitCodes.failed : exitCode;
  } finally {
    runOver();
  }
}

type Watched = Outside & { readonly onBug: (error: unknown) => void };

async function watchAll(
  paths: readonly string[],
  options: TestOptions,
  { io, parts, onBug }: Watched,
): Promise<number> {
  const worlds = await parts.createWorlds(onBug);
  const ignore = [options.traceDir, ...options.report.map(({ file }) => file)].filter((path) => path !== '');
  try {
    return await watchScenarios({ paths, ignore }, (files) => runOnce(files, { options, io, worlds }), io);
  } finally {
    await worlds.close();
  }
}

async function runFound(paths: readonly string[], options: TestOptions, outside: Watched): Promise<number> {
  const found = findScenarios(paths);
  if (found.outcome === 'missing') throw new ConfigError(found.problem);
  const { testThread } = outside.parts;
  const { target, compareWith, outage } = options;
  // A cluster is cleaned up by the process that has used it.
  const isApart = target === '' && compareWith === '' && !outage;
  return testThread && isApart
    ? runApart(found.files, options, { ...outside, testThread })
    : runHere(found.files, options, outside);
}

/** In threads, which scripts may end without ending the run. */
async function runApart(
  files: readonly string[],
  options: TestOptions,
  { io, onBug, testThread: module }: Watched & { readonly testThread: URL },
): Promise<number> {
  const screen = createScreen(options, io);
  const ending = createEnding(options.timeout);
  const tell = (text: string): void => io.error(`kadmit test: ${text}`);
  try {
    const threads = threadsFor(files, options);
    const { signal } = ending;
    const run = await runInThreads(files, threads, options, { module, screen, tell, onBug, signal });
    tellScriptless(run.scriptless, tell);
    if (run.outcomes.length + run.unreadable.length === 0 && !signal.aborted) return noneWanted(run, io);
    screen.summary(run);
    const exitCode = await finish(run, { options, io });
    return ending.isInterrupted() ? interruptedCode : exitCode;
  } finally {
    ending.close();
  }
}

/** In this thread: with a cluster, or where there are no others. */
async function runHere(files: readonly string[], options: TestOptions, { io, parts, onBug }: Watched): Promise<number> {
  const worlds = await parts.createWorlds(onBug);
  const timer =
    options.timeout === 0 ? undefined : setTimeout(() => process.kill(process.pid, 'SIGTERM'), options.timeout);
  try {
    return (await runOnce(files, { options, io, worlds })).exitCode;
  } finally {
    clearTimeout(timer);
    await worlds.close();
  }
}
