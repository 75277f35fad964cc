import { SourceMap } from 'node:module';
import type { OxcError, SourceMap as RawMap } from 'oxc-transform';
import { readRegularFile } from '../../machinery/files/bounded-file.ts';

/** A script's text, ready to be evaluated as the body of an async function. */
export interface ScriptSource {
  readonly file: string;
  readonly code: string;
  /** The line of the file that a line of the code came from; both count from 1. */
  readonly lineOf: (line: number, column: number) => number;
}

export type ScriptReading =
  | { readonly outcome: 'read'; readonly source: ScriptSource }
  /** `hook.ts:3: Unexpected token`. */
  | { readonly outcome: 'unreadable'; readonly error: string };

/** Reads a script, takes the types out of TypeScript, and turns imports and exports into calls. Loads the transformer. */
export async function readScript(file: string): Promise<ScriptReading> {
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

/** Goes back through the maps, the last transformation first. */
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
