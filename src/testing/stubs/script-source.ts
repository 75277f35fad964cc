import type { ImportSpecifier, parse as Parse } from 'es-module-lexer/minimal';
import type { Transform } from 'sucrase';
import { errorText } from '../../machinery/errors.ts';

/** One line with file and line. */
export class ScriptError extends Error {}

export const importFunction = '__import';
export const importMeta = '__importMeta';

/** Ready to evaluate as the body of an async function; its lines are those of the file. */
export interface ScriptSource {
  readonly code: string;
  /** What it imports before it runs. */
  readonly imports: readonly string[];
}

/**
 * Strips types and turns imports and exports into calls of `require`. Loads the transformers lazily. Node's own stripping
 * refuses enums, keeps imports of types and is absent from Node 20: a script means the same on every release. Throws a ScriptError.
 */
export async function readSource(file: string, text: string): Promise<ScriptSource> {
  const { transform } = await import('sucrase');
  const { init, parse } = await import('es-module-lexer/minimal');
  await init;
  const sucrase = (code: string, transforms: Transform[]): string =>
    transform(code, { transforms, disableESTransforms: true }).code;
  try {
    const untyped = /\.[mc]?ts$/.test(file) ? sucrase(text, ['typescript']) : text;
    const found = importsIn(untyped, parse);
    const code = withoutImportSyntax(untyped, found);
    const imports = found.flatMap(({ d, n }) => (d === -1 && n !== undefined ? [n] : []));
    return { code: file.endsWith('.cjs') ? code : sucrase(code, ['imports']), imports };
  } catch (error) {
    throw new ScriptError(withErrorLocation(file, error));
  }
}

/** None in a text that is not JavaScript: sucrase and V8 name its error better. */
function importsIn(text: string, parse: typeof Parse): readonly ImportSpecifier[] {
  try {
    return parse(text)[0];
  } catch {
    return [];
  }
}

/** A function has neither `import()` nor `import.meta`: names of its parameters take their places. */
function withoutImportSyntax(text: string, found: readonly ImportSpecifier[]): string {
  let code = '';
  let end = 0;
  for (const { d, s, e, ss } of found) {
    if (d === -1) continue;
    code += text.slice(end, d === -2 ? s : ss) + (d === -2 ? importMeta : importFunction);
    end = d === -2 ? e : d;
  }
  return code + text.slice(end);
}

/** `Unexpected token (3:4)` with its place in front. */
function withErrorLocation(file: string, error: unknown): string {
  const [, message = errorText(error), line = '1'] =
    /^(.*?)(?: \((\d+):\d+\))?$/.exec(errorText(error).split('\n')[0] ?? '') ?? [];
  return `${file}:${line}: ${message}`;
}
