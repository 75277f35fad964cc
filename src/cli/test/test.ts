import { findScenarios } from '../../scenario/find-scenarios.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { Parts } from '../command.ts';
import { parseFlags } from '../flags/flags.ts';
import { exitCodes } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { initScenario } from './test-init.ts';
import { finish, noneWanted, runOnce } from './test-once.ts';
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
  const exitCode = options.watch
    ? await watchAll(paths, options, { io, parts, onBug })
    : await runFound(paths, options, { io, parts, onBug });
  return exitCode === exitCodes.fine && bugs.length > 0 ? exitCodes.failed : exitCode;
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

/** Many scenarios are run by several threads. */
async function runFound(
  paths: readonly string[],
  options: TestOptions,
  { io, parts, onBug }: Watched,
): Promise<number> {
  const found = findScenarios(paths);
  if (found.outcome === 'missing') throw new ConfigError(found.problem);
  const { files } = found;
  const threads = threadsFor(files, options);
  if (threads > 1 && parts.testThread) {
    const screen = createScreen(options, io);
    const run = await runInThreads(files, threads, options, { module: parts.testThread, screen, onBug });
    if (run.outcomes.length + run.unreadable.length === 0) return noneWanted(run.leftOut, io);
    screen.summary(run);
    return await finish(run, { options, io });
  }
  const worlds = await parts.createWorlds(onBug);
  try {
    return (await runOnce(files, { options, io, worlds })).exitCode;
  } finally {
    await worlds.close();
  }
}
