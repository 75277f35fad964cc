import { dirname } from 'node:path';
import { findScenarios } from '../../../testing/scenario/find-scenarios.ts';
import { exitCodes, type Io } from '../terminal/io.ts';
import { createChangeQueue, watchFiles } from '../terminal/watch-files.ts';
import { isPathWithin } from '../../../adapters/files/portable-path.ts';
import type { TestOutcome } from './test-once.ts';

export interface Watched {
  readonly paths: readonly string[];
  /** Files and folders that the runs write. */
  readonly ignore: readonly string[];
}

/**
 * Runs all scenarios, then those with a changed file: one they were read from, or any in their folder. Enter runs all,
 * q or Ctrl-C ends it. Resolves with the exit code.
 */
export async function watchScenarios(
  { paths, ignore }: Watched,
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
    await runThese(all().filter((file) => !sources.has(file) || changed.some((one) => isOf(file, one, sources))));
  });
  watcher.on('all', (_event, path) => changes.add(path));
  await runThese(all());
  await untilQuit(() => changes.run(() => runThese(all())));
  await watcher.close();
  await changes.close();
  return exitCodes.fine;
}

const isOf = (scenario: string, changed: string, sources: ReadonlyMap<string, readonly string[]>): boolean =>
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
