import { isDynOrError, typeName } from '../check/type.ts';
import type { Type } from '../check/type.ts';
import { readFormat, tooFewArguments, tooManyArguments, wrongArgument } from './format-verbs.ts';

/** A complaint about a constant format string: about one of its arguments, or about the string itself. */
export interface FormatIssue {
  readonly argument: number | undefined;
  readonly message: string;
}

/** Checks a constant format string against the types of its arguments. Follows cel-go ext/formatting.go. */
export function formatIssue(format: string, types: readonly Type[]): FormatIssue | undefined {
  const pieces = readFormat(format);
  let argument = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') continue;
    const type = types[argument];
    const isFault = 'error' in piece;
    if (isFault && !piece.asksArgument) return { argument: undefined, message: piece.error };
    if (type === undefined) return { argument: undefined, message: tooFewArguments(argument) };
    if (isFault) return { argument: undefined, message: piece.error };
    if (!isDynOrError(type) && !accepts(piece.verb, type)) {
      return { argument, message: wrongArgument(piece.verb, typeName(type)) };
    }
    argument += 1;
  }
  if (argument >= types.length) return undefined;
  return { argument: undefined, message: tooManyArguments(argument, types.length) };
}

const numbers = ['int', 'uint', 'double'];
const kinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['d', numbers],
  ['f', numbers],
  ['e', numbers],
  ['b', ['int', 'uint', 'bool']],
  ['x', ['int', 'uint', 'string', 'bytes']],
  ['X', ['int', 'uint', 'string', 'bytes']],
  ['o', ['int', 'uint']],
]);

const accepts = (verb: string, { kind }: Type): boolean => kinds.get(verb)?.includes(kind) ?? kind !== 'struct';
