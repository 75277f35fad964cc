import { runScript, runScriptText, type ScriptRun, type ModuleExports } from './run-script.ts';
import { rememberFactory, type ReviewFunction } from './webhook-spec.ts';

export type ScriptLoading =
  | { readonly outcome: 'loaded'; readonly run: ReviewFunction }
  | Extract<ScriptRun, { readonly outcome: 'unloadable' }>;

/**
 * Exports a function of the AdmissionReview as default or as `review`. Runs once to validate; createStubRegistry gives each world an
 * instance of its own without reading the file again.
 */
export async function loadScript(file: string): Promise<ScriptLoading> {
  return toLoading(file, await runScript(file));
}

/** The same for a text in place of the file, whose imports are relative to that file. */
export async function loadScriptText(file: string, text: string): Promise<ScriptLoading> {
  return toLoading(file, await runScriptText(file, text));
}

function toLoading(file: string, script: ScriptRun): ScriptLoading {
  if (script.outcome === 'unloadable') return script;
  const run = findFunction(script.exports);
  if (run) return { outcome: 'loaded', run: withInstances(run, script.again) };
  const error = `${file}:1: exports no function: write \`export default function (review) { … }\``;
  return { outcome: 'unloadable', error };
}

function findFunction(exports: ModuleExports): ReviewFunction | undefined {
  const { default: main, review } = exports;
  if (isFunction(main)) return main;
  if (isFunction(review)) return review;
  // A CommonJS file that exports an object.
  const inner: unknown = typeof main === 'object' && main !== null ? Reflect.get(main, 'review') : undefined;
  return isFunction(inner) ? inner : undefined;
}

const isFunction = (value: unknown): value is ReviewFunction => typeof value === 'function';

/** Creates another instance on first call. */
function withInstances(first: ReviewFunction, again: () => Promise<ModuleExports>): ReviewFunction {
  const another = (): ReviewFunction => {
    let instance: Promise<ReviewFunction> | undefined;
    const make = async (): Promise<ReviewFunction> => findFunction(await again()) ?? first;
    const run: ReviewFunction = async (review) => (await (instance ??= make()))(review);
    return rememberFactory(run, another);
  };
  return rememberFactory((review) => first(review), another);
}
