import { errorText } from '../../machinery/errors.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { ScriptLoading } from '../../testing/stubs/load-script.ts';
import { rememberFactory, type ReviewFunction } from '../../testing/stubs/webhook-spec.ts';
import { scriptFunctionCode, scriptWorkerCode } from './script-worker-code.ts';
import type { NamedFiles } from '../../testing/scenario/read/problems.ts';

/** As browsers have them; Node's types differ. */
declare const Worker: new (address: string) => ScriptWorker;

interface ScriptWorker {
  onmessage: ((event: { readonly data: ScriptReply }) => void) | null;
  onerror: ((event: { readonly message: string; readonly preventDefault: () => void }) => void) | null;
  readonly postMessage: (message: ScriptCall) => void;
  readonly terminate: () => void;
}

interface ScriptCall {
  readonly call: number;
  /** Each has module variables of its own. */
  readonly instance: number;
  /** undefined: only load it. */
  readonly review: JsonObject | undefined;
}

type ScriptReply = { readonly call: number } & ({ readonly result: unknown } | { readonly error: string });

type LoadPageScript = (code: string) => Promise<ScriptLoading>;

/** Real milliseconds of a call. */
const maxCallMs = 1000;
/** Workers are kept for texts that did not change. */
const maxWorkers = 8;

/** Runs each script in a worker of its own. */
export function createPageScripts(): LoadPageScript {
  const open = new Map<string, RunningScript>();
  let instances = 0;
  const scriptOf = async (text: string): Promise<RunningScript> => {
    const known = open.get(text);
    open.delete(text);
    const running = known?.isRunning() ? known : startScript(await sourceOf(text));
    open.set(text, running);
    for (const [oldest, one] of open) {
      if (open.size <= maxWorkers) break;
      open.delete(oldest);
      one.close();
    }
    return running;
  };
  const another = (text: string): ReviewFunction => {
    instances += 1;
    const instance = instances;
    const run: ReviewFunction = async (review) => (await scriptOf(text)).call(instance, review);
    return rememberFactory(run, () => another(text));
  };
  return async (text) => {
    try {
      instances += 1;
      await (await scriptOf(text)).call(instances, undefined);
      return { outcome: 'loaded', run: another(text) };
    } catch (error) {
      return { outcome: 'unloadable', error: errorText(error) };
    }
  };
}

/** Before the reader's click. */
export const refuseScripts: LoadPageScript = async () => ({
  outcome: 'loaded',
  run: () => {
    throw new Error('this script came with a link and runs only after a click');
  },
});

async function sourceOf(text: string): Promise<string> {
  const { readSource } = await import('../../testing/stubs/script-source.ts');
  const { code, imports } = await readSource('script.ts', text);
  const [first] = imports;
  if (first !== undefined) throw new Error(`a script in a page imports nothing: remove the import of ${first}`);
  return code;
}

const addressOf = (code: string): string => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));

interface RunningScript {
  /** Rejects with what the script throws, and ends it when it takes too long. */
  readonly call: (instance: number, review: JsonObject | undefined) => Promise<unknown>;
  readonly isRunning: () => boolean;
  readonly close: () => void;
}

function startScript(code: string): RunningScript {
  const script = addressOf(scriptFunctionCode(code));
  const address = addressOf(scriptWorkerCode(script));
  const worker = new Worker(address);
  const waiting = new Map<number, (reply: ScriptReply) => void>();
  let calls = 0;
  let isOver = false;
  const end = (error: string): void => {
    isOver = true;
    worker.terminate();
    for (const one of [script, address]) URL.revokeObjectURL(one);
    for (const [call, settle] of waiting) settle({ call, error });
  };
  worker.onmessage = ({ data }) => waiting.get(data.call)?.(data);
  worker.onerror = (event) => {
    event.preventDefault();
    end(event.message);
  };
  return {
    isRunning: () => !isOver,
    close: () => end('the script was ended'),
    call: (instance, review) =>
      new Promise((resolve, reject) => {
        calls += 1;
        const call = calls;
        const timer = setTimeout(() => end(`the script took longer than ${maxCallMs / 1000} s`), maxCallMs);
        waiting.set(call, (reply) => {
          clearTimeout(timer);
          waiting.delete(call);
          if ('error' in reply) reject(new Error(reply.error));
          else resolve(reply.result);
        });
        worker.postMessage({ call, instance, review });
      }),
  };
}

/** A page has no files: objects and scripts are written in its texts. */
export function createPageFiles(loadScriptText: LoadPageScript): NamedFiles {
  const unloadable = { outcome: 'unloadable', error: noFiles } as const;
  return {
    find: (at, problems) => {
      problems.at(at, noFiles);
      return undefined;
    },
    isFolder: () => false,
    documents: () => [],
    golden: (at, problems) => {
      problems.at(at, 'a page has no golden files: use exactly');
      return undefined;
    },
    loadScript: async () => unloadable,
    loadScriptText,
    loadPlugin: async () => unloadable,
  };
}

const noFiles = 'a page has no files: write the contents here';
