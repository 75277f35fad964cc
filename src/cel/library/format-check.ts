import { isDynOrError, type Type, typeName } from '../check/type.ts';
import type { Expr } from '../syntax/ast.ts';
import { readFormat, tooFewArguments, tooManyArguments, wrongArgument } from './format-verbs.ts';

/** An error about a constant format string: about one of its arguments, or about the string itself. */
export interface FormatIssue {
  readonly argument: Expr | undefined;
  readonly message: string;
}

type TypeOf = (expr: Expr) => Type;

/** Checks a constant format string against the types of its arguments. Follows cel-go ext/formatting.go. */
export function formatIssue(format: string, args: readonly Expr[], typeOf: TypeOf): FormatIssue | undefined {
  let used = 0;
  for (const piece of readFormat(format)) {
    if (typeof piece === 'string') continue;
    const argument = args[used];
    const isFault = 'error' in piece;
    if (isFault && !piece.takesArgument) return { argument: undefined, message: piece.error };
    if (argument === undefined) return { argument: undefined, message: tooFewArguments(used) };
    if (isFault) return { argument: undefined, message: piece.error };
    const wrong = wrongIn(piece.verb, argument, typeOf);
    if (wrong !== undefined) return { argument: wrong, message: wrongArgument(piece.verb, typeName(typeOf(wrong))) };
    used += 1;
  }
  if (used >= args.length) return undefined;
  return { argument: undefined, message: tooManyArguments(used, args.length) };
}

const kinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['s', 'list map int uint double bool string timestamp bytes duration type null'.split(' ')],
  ['d', ['int', 'uint']],
  ['f', ['double', 'string']], // A string may say Infinity.
  ['e', ['double', 'string']],
  ['b', ['int', 'uint', 'bool']],
  ['x', ['int', 'uint', 'string', 'bytes']],
  ['X', ['int', 'uint', 'string', 'bytes']],
  ['o', ['int', 'uint']],
]);

/** The part of an argument that the clause does not take; `%s` looks into lists and maps that are written out. */
function wrongIn(verb: string, argument: Expr, typeOf: TypeOf): Expr | undefined {
  const type = typeOf(argument);
  if (!isDynOrError(type) && kinds.get(verb)?.includes(type.kind) === false) return argument;
  if (verb !== 's') return undefined;
  const parts =
    argument.type === 'list'
      ? argument.elements
      : argument.type === 'map'
        ? argument.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const wrong = wrongIn(verb, part, typeOf);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
