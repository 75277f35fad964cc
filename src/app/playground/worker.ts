import { readRelease } from '../../api/release/load-release.ts';
import { errorText } from '../../machinery/errors.ts';
import { answerQuestion } from './completion.ts';
import type { CompletionAnswer, CompletionQuestion, FromWorker, PlaygroundResult, ToWorker } from './protocol.ts';
import { createPageFiles, createPageScripts, refuseScripts } from './page-scripts.ts';
import { runTexts } from './run-texts.ts';

/** The scope of a dedicated worker. */
interface WorkerScope {
  onmessage: ((event: { readonly data: ToWorker | CompletionQuestion }) => void) | null;
  readonly postMessage: (message: FromWorker | CompletionAnswer) => void;
}

declare const self: WorkerScope;

const loadScript = createPageScripts();

let waiting: ToWorker | undefined;
let isRunning = false;

self.onmessage = ({ data }) => {
  if (data.type !== 'run') {
    void answer(data);
    return;
  }
  waiting = data;
  if (!isRunning) void runAll();
};

/** The editor waits for no answer about an unknown release: its run has that problem. */
async function answer(question: CompletionQuestion): Promise<void> {
  const release = readRelease(question.texts.release);
  if (release.outcome === 'known') self.postMessage(answerQuestion(question, (await release.load()).types));
}

/** Runs the newest message until none waits. */
async function runAll(): Promise<void> {
  isRunning = true;
  for (let message = take(); message; message = take()) {
    const startedAt = performance.now();
    const result = await runOne(message);
    if (!result) continue;
    const milliseconds = performance.now() - startedAt;
    self.postMessage({ type: 'result', run: message.run, result: { ...result, milliseconds } });
  }
  isRunning = false;
}

async function runOne({ texts, runFunctions }: ToWorker): Promise<Omit<PlaygroundResult, 'milliseconds'> | undefined> {
  const isStale = (): boolean => waiting !== undefined;
  const files = createPageFiles(runFunctions ? loadScript : refuseScripts);
  try {
    return await runTexts(texts, { files, isStale, onBug });
  } catch (error) {
    onBug(error);
    const message = `kadmit itself failed: ${errorText(error)}`;
    const problem = { tab: 'objects', from: 0, to: 0, severity: 'error', code: 'bug', message } as const;
    return { problems: [problem], answers: [], compared: [] };
  }
}

/** The browser's console shows it. */
const onBug = (error: unknown): void => {
  setTimeout(() => {
    throw error;
  });
};

function take(): ToWorker | undefined {
  const message = waiting;
  waiting = undefined;
  return message;
}

self.postMessage({ type: 'ready' });
