import { resolve } from 'node:path';
import { errorText } from '../apimachinery/error-text.ts';
import { rememberFactory } from './fresh-script.ts';
import { runModule, ScriptError } from './script-modules.ts';
import type { ModuleExports, ScriptSources } from './script-modules.ts';
import type { ReviewFunction } from './webhook-spec.ts';

export type ScriptLoading =
  | { readonly outcome: 'loaded'; readonly run: ReviewFunction }
  /** One line with file and line: `hooks/deny.ts:3: Unexpected token`. */
  | { readonly outcome: 'unloadable'; readonly error: string };

const extensions = /\.(?:[mc]?js|m?ts)$/;

/**
 * Loads a script: JavaScript or TypeScript (`.js .mjs .cjs .ts .mts`) that exports a function of the AdmissionReview as
 * default or as `review`. It is run once to see that it can be. Each world gets an instance with variables of its own
 * (createSwitchboard sees to it); the file is not read again.
 */
export async function loadScript(file: string): Promise<ScriptLoading> {
  const path = resolve(file);
  if (!extensions.test(path)) return unloadable(`${file}: a script is a .js, .mjs, .cjs, .ts or .mts file`);
  const sources: ScriptSources = new Map();
  try {
    const run = functionIn(await runModule(path, sources));
    if (run) return { outcome: 'loaded', run: withInstances(run, path, sources) };
    return unloadable(`${file}:1: exports no function: write \`export default function (review) { … }\``);
  } catch (error) {
    return unloadable(placed(error, path, sources));
  }
}

const unloadable = (error: string): ScriptLoading => ({ outcome: 'unloadable', error });

function functionIn(exports: ModuleExports): ReviewFunction | undefined {
  const { default: main, review } = exports;
  if (isFunction(main)) return main;
  if (isFunction(review)) return review;
  // A CommonJS file that assigned an object.
  const inner: unknown = typeof main === 'object' && main !== null ? Reflect.get(main, 'review') : undefined;
  return isFunction(inner) ? inner : undefined;
}

const isFunction = (value: unknown): value is ReviewFunction => typeof value === 'function';

/** A function that makes another instance of the script when it is first called. */
function withInstances(first: ReviewFunction, path: string, sources: ScriptSources): ReviewFunction {
  const another = (): ReviewFunction => {
    let made: Promise<ReviewFunction> | undefined;
    const make = async (): Promise<ReviewFunction> => functionIn(await runModule(path, sources)) ?? first;
    const run: ReviewFunction = async (review) => (await (made ??= make()))(review);
    return rememberFactory(run, another);
  };
  return rememberFactory((review) => first(review), another);
}

/** Where a script went wrong while it was loaded. */
function placed(error: unknown, path: string, sources: ScriptSources): string {
  if (error instanceof ScriptError) return error.message;
  const [message = ''] = errorText(error).split('\n');
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = [...sources.values()].map((source) => ({ source, at: stack.indexOf(`${source.file}:`) }));
  const [innermost] = frames.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at);
  if (!innermost) return `${path}:1: ${message}`;
  const { file, lineOf } = innermost.source;
  const [, line = '1', column = '1'] = /^:(\d+):(\d+)/.exec(stack.slice(innermost.at + file.length)) ?? [];
  return `${file}:${lineOf(Number(line), Number(column))}: ${message}`;
}
