import { existsSync } from 'node:fs';
import { SourceMap, createRequire, isBuiltin } from 'node:module';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import type { OxcError, SourceMap as RawMap } from 'oxc-transform';
import { errorText } from '../../machinery/errors.ts';
import { readRegularFile } from '../../machinery/files/bounded-file.ts';

/** Exports of a module so far. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/** An instance has module variables of its own; packages and Node's modules are shared. */
interface ScriptRun {
  readonly sources: ScriptSources;
  readonly modules: Map<string, Record<string, unknown>>;
}

/** Files as first read. */
export type ScriptSources = Map<string, ScriptSource>;

/** One line with file and line. */
export class ScriptError extends Error {}

/** Throws a ScriptError for an unreadable file, else what the modules throw. */
export const runModule = (file: string, sources: ScriptSources): Promise<ModuleExports> =>
  evaluate(file, { sources, modules: new Map() });

async function evaluate(file: string, instance: ScriptRun): Promise<ModuleExports> {
  const { modules } = instance;
  const known = modules.get(file);
  // A cyclic import gets the exports so far, as in Node.
  if (known) return known;
  const exports: Record<string, unknown> = {};
  modules.set(file, exports);
  if (extname(file) === '.json') return Object.assign(exports, { default: readJsonFile(file) });
  const { code } = await sourceOf(file, instance);
  const commonJs = { exports };
  await compiled(file, code)(...Object.values(parametersFor(file, instance, exports, commonJs)));
  // A CommonJS file: its exports are the default export.
  if (commonJs.exports !== exports) exports['default'] = commonJs.exports;
  return exports;
}

async function sourceOf(file: string, { sources }: ScriptRun): Promise<ScriptSource> {
  const known = sources.get(file);
  if (known) return known;
  const reading = await readScript(file);
  if (reading.outcome === 'unreadable') throw new ScriptError(reading.error);
  sources.set(file, reading.source);
  return reading.source;
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readRegularFile(file));
  } catch (error) {
    throw new ScriptError(`${file}:1: ${errorText(error)}`);
  }
}

type Body = (...parameters: readonly unknown[]) => Promise<void>;

const names = [
  '__vite_ssr_exports__',
  '__vite_ssr_import__',
  '__vite_ssr_dynamic_import__',
  '__vite_ssr_exportAll__',
  '__vite_ssr_import_meta__',
  'module',
  'exports',
  'require',
  '__filename',
  '__dirname',
] as const;

function compiled(file: string, code: string): Body {
  const strict = extname(file) === '.cjs' ? '' : "'use strict';";
  const wrapped = `(async function (${names.join(', ')}) {${strict}\n${code}\n})`;
  return runInThisContext(wrapped, { filename: file, lineOffset: -1 });
}

function parametersFor(
  file: string,
  instance: ScriptRun,
  exports: Record<string, unknown>,
  commonJs: { exports: unknown },
): Readonly<Record<(typeof names)[number], unknown>> {
  const load = (specifier: string): Promise<ModuleExports> => importFrom(file, specifier, instance);
  return {
    __vite_ssr_exports__: exports,
    __vite_ssr_import__: load,
    __vite_ssr_dynamic_import__: load,
    __vite_ssr_exportAll__: (from: ModuleExports) => exportAll(from, exports),
    __vite_ssr_import_meta__: { url: pathToFileURL(file).href, filename: file, dirname: dirname(file) },
    module: commonJs,
    exports,
    require: createRequire(file),
    __filename: file,
    __dirname: dirname(file),
  };
}

function exportAll(from: ModuleExports, exports: Record<string, unknown>): void {
  for (const name of Object.keys(from)) {
    if (name === 'default' || Object.hasOwn(exports, name)) continue;
    Object.defineProperty(exports, name, { enumerable: true, configurable: true, get: () => from[name] });
  }
}

async function importFrom(file: string, specifier: string, instance: ScriptRun): Promise<ModuleExports> {
  if (isBuiltin(specifier)) return import(specifier);
  if (/^(?:\.{0,2}\/|file:)/.test(specifier)) return evaluate(foundFile(file, specifier), instance);
  return import(packageUrl(file, specifier));
}

function foundFile(from: string, specifier: string): string {
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

/** Ready to evaluate as the body of an async function. */
interface ScriptSource {
  readonly file: string;
  readonly code: string;
  /** Maps a line of the code to the file; both count from 1. */
  readonly lineOf: (line: number, column: number) => number;
}

type ScriptReading =
  | { readonly outcome: 'read'; readonly source: ScriptSource }
  /** `hook.ts:3: Unexpected token`. */
  | { readonly outcome: 'unreadable'; readonly error: string };

/** Strips types and turns imports and exports into calls. Loads the transformer lazily. */
async function readScript(file: string): Promise<ScriptReading> {
  const { moduleRunnerTransformSync, transformSync } = await import('oxc-transform');
  const text = textOf(file);
  if (text === undefined) return unreadable(`${file}: no such file, or it cannot be read`);
  const isTyped = /\.[mc]?ts$/.test(file);
  const stripped = isTyped ? transformSync(file, text, { sourcemap: true }) : { code: text, errors: [] };
  const [untyped] = stripped.errors;
  if (untyped) return unreadable(placed(file, text, untyped));
  const linked = moduleRunnerTransformSync(untypedName(file), stripped.code, { sourcemap: true });
  const [broken] = linked.errors;
  if (broken) return unreadable(placed(file, stripped.code, broken));
  const maps = [linked.map, 'map' in stripped ? stripped.map : undefined].filter((map) => map !== undefined);
  return { outcome: 'read', source: { file, code: linked.code, lineOf: lineFinder(maps) } };
}

const unreadable = (error: string): ScriptReading => ({ outcome: 'unreadable', error });

function textOf(file: string): string | undefined {
  try {
    return readRegularFile(file);
  } catch {
    return undefined;
  }
}

const untypedName = (file: string): string => file.replace(/\.([mc]?)ts$/, '.$1js');

function placed(file: string, text: string, { message, labels }: OxcError): string {
  const [first] = labels;
  const line = first ? text.slice(0, first.start).split('\n').length : 1;
  return `${file}:${line}: ${message.split('\n')[0] ?? ''}`;
}

/** Applies the source maps, the last transformation first. */
function lineFinder(maps: readonly RawMap[]): ScriptSource['lineOf'] {
  const found = maps.map(
    ({ file = '', sourcesContent = [], ...map }) => new SourceMap({ ...map, file, sourcesContent, sourceRoot: '' }),
  );
  return (line, column) => {
    let place = { line: line - 1, column: column - 1 };
    for (const map of found) {
      const entry = map.findEntry(place.line, place.column);
      if ('originalLine' in entry) place = { line: entry.originalLine, column: entry.originalColumn };
    }
    return place.line + 1;
  };
}
