import { Worker } from 'node:worker_threads';
import type { ScenarioOutcome } from '../../scenario/outcome.ts';
import type { TestRun, UnreadableScenario } from '../../scenario/report/test-run.ts';
import type { TestOptions } from './test-options.ts';
import type { Screen } from './test-screen.ts';
import type { WorkerTask, WorkerWord } from './test-worker.ts';

/** Fewer files than this for a thread are done sooner than the thread is up. */
const worthAThread = 30;

/** Into how many threads these scenarios are to be split; 1: none besides this one. */
export const threadsFor = (
  files: readonly string[],
  { parallel, shard, target, compareWith, outage, watch }: TestOptions,
): number =>
  shard.count > 1 || target !== '' || compareWith !== '' || outage || watch
    ? 1
    : Math.max(1, Math.min(parallel, Math.floor(files.length / worthAThread)));

export interface ThreadsPorts {
  /** The module that a thread runs. */
  readonly module: URL;
  readonly screen: Screen;
  readonly onBug: (text: string) => void;
}

/** Runs the scenarios in so many threads. Rejects when one of them breaks down. */
export async function runInThreads(
  files: readonly string[],
  count: number,
  options: TestOptions,
  { module, screen, onBug }: ThreadsPorts,
): Promise<TestRun & { readonly leftOut: number }> {
  const startedAt = Date.now();
  const start = performance.now();
  const over = new Int32Array(new SharedArrayBuffer(4));
  const outcomes: ScenarioOutcome[] = [];
  const unreadable: UnreadableScenario[] = [];
  let runs = 0;
  let leftOut = 0;
  const hear = (word: WorkerWord): void => {
    switch (word.type) {
      case 'planned':
        runs += word.runs;
        leftOut += word.leftOut;
        unreadable.push(...word.unreadable);
        return word.unreadable.forEach(screen.unreadable);
      case 'started':
        return screen.running(word.title, runs);
      case 'outcome':
        outcomes.push(word.outcome);
        if (options.failFast && word.outcome.outcome !== 'passed') Atomics.store(over, 0, 1);
        return screen.over(word.outcome);
      case 'bug':
        return onBug(word.text);
    }
  };
  const { filter, clock, failFast, update, traceDir } = options;
  const parts = Array.from({ length: count }, (_none, part) => files.filter((_file, index) => index % count === part));
  await Promise.all(
    parts.map((part) =>
      runThread(module, { files: part, options: { filter, clock, failFast, update, traceDir }, over }, hear),
    ),
  );
  const turn = new Map(files.map((file, index) => [file, index]));
  const turnOf = (file: string): number => turn.get(file) ?? 0;
  return {
    startedAt,
    milliseconds: performance.now() - start,
    outcomes: outcomes.toSorted((a, b) => turnOf(a.scenario.file) - turnOf(b.scenario.file)),
    unreadable: unreadable.toSorted((a, b) => turnOf(a.file) - turnOf(b.file)),
    notRun: runs - outcomes.length,
    leftOut,
  };
}

function runThread(module: URL, task: WorkerTask, hear: (word: WorkerWord) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(module, { workerData: task });
    worker.on('message', hear);
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`))));
  });
}
