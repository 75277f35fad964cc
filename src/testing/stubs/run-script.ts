import { resolve, dirname, extname } from 'node:path';
import { errorText } from '../../machinery/errors.ts';
import { readSource, ScriptError, importFunction, importMeta, type ScriptSource } from './script-source.ts';
import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import { readRegularFile } from '../../adapters/files/bounded-file.ts';

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
  return runScriptFile(path, new Map());
}

/** Runs this text as the file, which need not exist. */
export async function runScriptText(file: string, text: string): Promise<ScriptRun> {
  const path = resolve(file);
  try {
    return await runScriptFile(path, new Map([[path, await readSource(path, text)]]));
  } catch (error) {
    return unloadable(errorText(error));
  }
}

async function runScriptFile(path: string, sources: ScriptSources): Promise<ScriptRun> {
  const again = (): Promise<ModuleExports> => runModule(path, sources);
  try {
    return { outcome: 'run', exports: await again(), again };
  } catch (error) {
    return unloadable(withErrorLocation(error, path, sources));
  }
}

const unloadable = (error: string): ScriptRun => ({ outcome: 'unloadable', error });

/** Adds the place of an error while loading. */
function withErrorLocation(error: unknown, path: string, sources: ScriptSources): string {
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

/** Exports of a module so far. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/** An instance has module variables of its own; packages and Node's modules are shared. */
interface ModuleInstance {
  readonly sources: ScriptSources;
  readonly modules: Map<string, Record<string, unknown>>;
}

/** Files as first read. */
type ScriptSources = Map<string, ScriptSource>;

/** Throws a ScriptError for an unreadable file, else what the modules throw. */
const runModule = (file: string, sources: ScriptSources): Promise<ModuleExports> =>
  evaluate(file, { sources, modules: new Map() });

async function evaluate(file: string, instance: ModuleInstance): Promise<ModuleExports> {
  const { modules } = instance;
  const known = modules.get(file);
  // A cyclic import gets the exports so far, as in Node.
  if (known) return known;
  const exports: Record<string, unknown> = asModule({});
  modules.set(file, exports);
  if (extname(file) === '.json') return Object.assign(exports, { default: readJsonFile(file) });
  const { code, imports } = await loadSource(file, instance);
  const imported = new Map<string, ModuleExports>();
  for (const specifier of imports) imported.set(specifier, await importStatically(file, specifier, instance));
  const commonJs = { exports };
  await compileModule(file, code)(...Object.values(parametersFor(file, instance, imported, commonJs)));
  // A CommonJS file: its exports are the default export.
  if (commonJs.exports !== exports) exports['default'] = commonJs.exports;
  return exports;
}

/** Marks exports as those of a module, so that the code of sucrase takes `default` from them. */
const asModule = <T extends object>(exports: T): T => Object.defineProperty(exports, '__esModule', { value: true });

async function loadSource(file: string, { sources }: ModuleInstance): Promise<ScriptSource> {
  const source = sources.get(file) ?? (await readSource(file, readScriptText(file)));
  sources.set(file, source);
  return source;
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readRegularFile(file));
  } catch (error) {
    throw new ScriptError(`${file}:1: ${errorText(error)}`);
  }
}

type Body = (...parameters: readonly unknown[]) => Promise<void>;

/** What the code of a script finds in its scope. */
const parameterNames = [importFunction, importMeta, 'module', 'exports', 'require', '__filename', '__dirname'] as const;

function compileModule(file: string, code: string): Body {
  const strict = extname(file) === '.cjs' ? '' : "'use strict';";
  const wrapped = `(async function (${parameterNames.join(', ')}) {${strict}\n${code}\n})`;
  return runInThisContext(wrapped, { filename: file, lineOffset: -1 });
}

function parametersFor(
  file: string,
  instance: ModuleInstance,
  imported: ReadonlyMap<string, ModuleExports>,
  commonJs: { readonly exports: Record<string, unknown> },
): Readonly<Record<(typeof parameterNames)[number], unknown>> {
  const require = createRequire(file);
  return {
    [importFunction]: (specifier: string) => importFrom(file, specifier, instance),
    [importMeta]: { url: pathToFileURL(file).href, filename: file, dirname: dirname(file) },
    module: commonJs,
    exports: commonJs.exports,
    require: Object.assign((specifier: string): unknown => imported.get(specifier) ?? require(specifier), require),
    __filename: file,
    __dirname: dirname(file),
  };
}

/** Resolves to exports that sucrase's code can use. */
async function importStatically(file: string, specifier: string, instance: ModuleInstance): Promise<ModuleExports> {
  const exports = await importFrom(file, specifier, instance);
  return '__esModule' in exports ? exports : asModule({ ...exports });
}

async function importFrom(file: string, specifier: string, instance: ModuleInstance): Promise<ModuleExports> {
  if (isBuiltin(specifier)) return import(specifier);
  if (/^(?:\.{0,2}\/|file:)/.test(specifier)) return evaluate(resolveFile(file, specifier), instance);
  return import(packageUrl(file, specifier));
}

function resolveFile(from: string, specifier: string): string {
  const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(dirname(from), specifier);
  // TypeScript names a .ts file .js.
  const typed = path.replace(/\.([mc]?)js$/, '.$1ts');
  if (existsSync(path) || !existsSync(typed)) return path;
  return typed;
}

function packageUrl(file: string, specifier: string): string {
  try {
    return pathToFileURL(createRequire(file).resolve(specifier)).href;
  } catch {
    return specifier; // A package without CommonJS, or none: Node knows, or says so.
  }
}

function readScriptText(file: string): string {
  try {
    return readRegularFile(file).replace(/^#!.*/, '');
  } catch {
    throw new ScriptError(`${file}: no such file, or it cannot be read`);
  }
}
