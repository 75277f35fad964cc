import { isDynOrError, typeText } from '../type.ts';
import type { Type } from '../type.ts';

/** A complaint about a constant format string: about one of its arguments, or about the string itself. */
export interface FormatIssue {
  readonly argument: number | undefined;
  readonly message: string;
}

/** Follows cel-go ext/formatting.go. */
export function formatIssue(format: string, types: readonly Type[]): FormatIssue | undefined {
  let argument = 0;
  for (const [clause, precision, verb] of format.matchAll(/%(?:%|(\.\d*)?(.)?)/gsu)) {
    if (clause === '%%') continue;
    if (verb === undefined) return { argument: undefined, message: 'unexpected end of string' };
    const allowed = verbs.get(verb);
    if (allowed === undefined) {
      return {
        argument: undefined,
        message: `could not parse formatting clause: unrecognized formatting clause "${verb}"`,
      };
    }
    const type = types[argument];
    if (type === undefined) return { argument: undefined, message: `index ${argument} out of range` };
    if (!isDynOrError(type) && !allowed.kinds.includes(type.kind) && precision !== undefined)
      return allowed.issue(argument, type);
    if (!isDynOrError(type) && !allowed.kinds.includes(type.kind)) return allowed.issue(argument, type);
    argument += 1;
  }
  if (argument >= types.length) return undefined;
  return {
    argument: undefined,
    message: 'too many arguments supplied to string.format (expected ' + `${argument}, got ${types.length})`,
  };
}

interface Verb {
  readonly kinds: readonly string[];
  readonly issue: (argument: number, type: Type) => FormatIssue;
}

const verb = (clause: string, wanted: string, kinds: readonly string[]): Verb => ({
  kinds,
  issue: (argument, type) => ({
    argument,
    message: `${clause} clause can only be used on ${wanted}, was given ${typeText(type)}`,
  }),
});

const strings = 'list map type opaque struct param null bool int uint double string bytes timestamp duration any'.split(
  ' ',
);

/** What each clause takes. */
const verbs: ReadonlyMap<string, Verb> = new Map([
  [
    's',
    verb('string', 'strings, bools, integers, bytes, lists, maps, types, doubles, durations, and timestamps', strings),
  ],
  ['d', verb('decimal', 'integers', ['int', 'uint', 'double'])],
  ['f', verb('fixed-point', 'doubles', ['int', 'uint', 'double'])],
  ['e', verb('scientific', 'doubles', ['int', 'uint', 'double'])],
  ['b', verb('only', 'integers and bools', ['int', 'uint', 'bool'])],
  ['x', verb('only', 'integers, byte buffers, and strings', ['int', 'uint', 'string', 'bytes'])],
  ['X', verb('only', 'integers, byte buffers, and strings', ['int', 'uint', 'string', 'bytes'])],
  ['o', verb('octal', 'integers', ['int', 'uint'])],
]);
