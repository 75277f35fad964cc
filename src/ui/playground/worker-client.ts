import type {
  CompletionAnswer,
  CompletionQuestion,
  FromWorker,
  PlaygroundResult,
  PlaygroundTexts,
  ToWorker,
} from '../../app/playground/protocol.ts';

/** Loads the core, in a worker. */
export const startWorker = (): Worker =>
  new Worker(new URL('../../app/playground/worker.ts', import.meta.url), { type: 'module' });

export interface WorkerClient {
  /** A later run replaces this one. */
  readonly run: (texts: PlaygroundTexts, runFunctions: boolean) => void;
  /** undefined when the worker was ended. */
  readonly request: (question: Omit<CompletionQuestion, 'question'>) => Promise<CompletionAnswer | undefined>;
  readonly close: () => void;
}

export interface WorkerListener {
  readonly result: (result: PlaygroundResult) => void;
  /** A run took longer than `maxRunMs` and was ended. */
  readonly ended: () => void;
}

/** Real milliseconds, of a run without another one after it. */
export const maxRunMs = 20_000;
/** Real milliseconds, after which a new run does not wait for the old one. */
const timeoutMs = 3000;

/** Keeps one worker and replaces it when it does not respond: the page never waits for it. */
export function createWorkerClient(first: Worker, { result, ended }: WorkerListener): WorkerClient {
  const questions = createQuestions();
  let current: Worker | undefined = first;
  let isReady = false;
  let runs = 0;
  let pending: { readonly run: number; readonly since: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const drop = (): void => {
    current?.terminate();
    current = undefined;
    isReady = false;
    pending = undefined;
    clearTimeout(timer);
    questions.drop();
  };
  /** The first run waits for the tables to load, however long that takes. */
  const watch = (): void => {
    clearTimeout(timer);
    if (isReady && pending) timer = setTimeout(() => (drop(), ended()), maxRunMs);
  };
  const receive = ({ data }: MessageEvent<FromWorker | CompletionAnswer>): void => {
    isReady = true;
    if (data.type === 'result' && data.run === pending?.run) {
      pending = undefined;
      result(data.result);
    }
    if (data.type === 'completions' || data.type === 'description') questions.receive(data);
    watch();
  };
  const worker = (): Worker => {
    if (current) return current;
    current = startWorker();
    current.addEventListener('message', receive);
    return current;
  };
  first.addEventListener('message', receive);
  return {
    run: (texts, runFunctions) => {
      if (isReady && pending && Date.now() - pending.since > timeoutMs) drop();
      runs += 1;
      pending = { run: runs, since: Date.now() };
      worker().postMessage({ type: 'run', run: runs, texts, runFunctions } satisfies ToWorker);
      watch();
    },
    request: (question) => questions.request((number) => worker().postMessage({ ...question, question: number })),
    close: drop,
  };
}

interface Questions {
  readonly request: (post: (question: number) => void) => Promise<CompletionAnswer | undefined>;
  readonly receive: (answer: CompletionAnswer) => void;
  readonly drop: () => void;
}

function createQuestions(): Questions {
  const open = new Map<number, (answer: CompletionAnswer | undefined) => void>();
  let count = 0;
  return {
    request: (post) =>
      new Promise((resolve) => {
        count += 1;
        open.set(count, resolve);
        post(count);
      }),
    receive: (answer) => {
      open.get(answer.question)?.(answer);
      open.delete(answer.question);
    },
    drop: () => {
      for (const resolve of open.values()) resolve(undefined);
      open.clear();
    },
  };
}
