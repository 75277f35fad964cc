import { Worker } from 'node:worker_threads';
import { limitText } from '../../../testing/scenario/run-limits.ts';
import type { StartedRun, WorkerTask, WorkerWord } from './test-worker.ts';

/** How a thread came to its end. */
export type ThreadEnd =
  | { readonly outcome: 'done' }
  /** What was under way when something in it ended the thread: reading a file, or these runs. */
  | {
      readonly outcome: 'died';
      readonly because: string;
      readonly reading: string | undefined;
      readonly running: readonly StartedRun[];
    };

export interface ThreadPorts {
  /** The module that it runs. */
  readonly module: URL;
  readonly hear: (word: WorkerWord) => void;
  /** Ends it from outside. */
  readonly signal: AbortSignal;
}

/** Megabytes of objects; what takes more ends its thread, not the process. */
const mostMegabytes = 2048;

/** A scenario ends itself when its time is up; one that does not even do that is ended after so many milliseconds more. */
const grace = 2000;

/** Runs a thread and looks after it: scripts can end it, fill its memory, or never let go of it. */
export function runThread(task: WorkerTask, { module, hear, signal }: ThreadPorts): Promise<ThreadEnd> {
  return new Promise((resolve) => {
    const worker = new Worker(module, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: mostMegabytes } });
    const running = new Map<string, StartedRun>();
    const { scenarioTimeout } = task.options;
    let reading: string | undefined;
    let because = '';
    let isDone = false;
    const end = (why: string): void => {
      because ||= why;
      void worker.terminate();
    };
    const timers = new Map<string, NodeJS.Timeout>();
    const watch = (what: string): void => {
      const late = (): void => end(`it did not end within ${limitText(scenarioTimeout)}, and did not answer either`);
      timers.set(what, setTimeout(late, scenarioTimeout + grace));
    };
    const unwatch = (what: string): void => clearTimeout(timers.get(what));
    const stop = (): void => end(String(signal.reason));
    signal.addEventListener('abort', stop);
    worker.on('message', (word: WorkerWord) => {
      if (word.type === 'reading' || word.type === 'planned') {
        if (reading !== undefined) unwatch(reading);
        reading = word.type === 'reading' ? word.file : undefined;
        if (reading !== undefined) watch(reading);
      }
      if (word.type === 'started') {
        running.set(word.run.key, word.run);
        watch(word.run.key);
      }
      if (word.type === 'outcome') {
        running.delete(word.key);
        unwatch(word.key);
      }
      hear(word);
      if (word.type !== 'done') return;
      isDone = true;
      // Timers of scripts would keep it.
      void worker.terminate();
    });
    worker.on('error', (error) => (because ||= errorText(error)));
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', stop);
      for (const timer of timers.values()) clearTimeout(timer);
      if (isDone) return resolve({ outcome: 'done' });
      because ||= `a script ended the process with code ${code}`;
      return resolve({ outcome: 'died', because, reading, running: [...running.values()] });
    });
  });
}

function errorText(error: Error): string {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return `it took more memory than a scenario may have, ${mostMegabytes} MB`;
  }
  return `something threw where nobody waited for it: ${error.message}`;
}
