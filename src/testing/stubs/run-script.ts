import { resolve } from 'node:path';
import { errorText } from '../../machinery/errors.ts';
import { type ModuleExports, runModule, type ScriptSources } from './script-modules.ts';
import { readSource, ScriptError } from './script-source.ts';

export type ScriptRun =
  /** `again` runs it with fresh variables; the file is not read again. */
  | { readonly outcome: 'run'; readonly exports: ModuleExports; readonly again: () => Promise<ModuleExports> }
  /** `hooks/deny.ts:3: Unexpected token` */
  | { readonly outcome: 'unloadable'; readonly error: string };

const extensions = /\.(?:[mc]?js|m?ts)$/;

/** Runs a `.js .mjs .cjs .ts .mts` file and its imports. */
export async function runScript(file: string): Promise<ScriptRun> {
  const path = resolve(file);
  if (!extensions.test(path)) return unloadable(`${file}: a script is a .js, .mjs, .cjs, .ts or .mts file`);
  return runFrom(path, new Map());
}

/** Runs this text as the file, which need not exist. */
export async function runScriptText(file: string, text: string): Promise<ScriptRun> {
  const path = resolve(file);
  try {
    return await runFrom(path, new Map([[path, await readSource(path, text)]]));
  } catch (error) {
    return unloadable(errorText(error));
  }
}

async function runFrom(path: string, sources: ScriptSources): Promise<ScriptRun> {
  const again = (): Promise<ModuleExports> => runModule(path, sources);
  try {
    return { outcome: 'run', exports: await again(), again };
  } catch (error) {
    return unloadable(placed(error, path, sources));
  }
}

const unloadable = (error: string): ScriptRun => ({ outcome: 'unloadable', error });

/** Adds the place of an error while loading. */
function placed(error: unknown, path: string, sources: ScriptSources): string {
  if (error instanceof ScriptError) return error.message;
  const [message = ''] = errorText(error).split('\n');
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = [...sources.keys()].map((file) => ({ file, at: stack.indexOf(`${file}:`) }));
  const [innermost] = frames.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at);
  if (!innermost) return `${path}:1: ${message}`;
  const { file, at } = innermost;
  const [, line = '1'] = /^:(\d+)/.exec(stack.slice(at + file.length)) ?? [];
  return `${file}:${line}: ${message}`;
}
