import { jqFunctions } from './functions.ts';
import { tokensOf } from './tokens.ts';
import { QueryFault } from './tree.ts';
import type { Query } from './tree.ts';

export type QueryReading =
  | { readonly outcome: 'read'; readonly query: Query }
  | { readonly outcome: 'wrong'; readonly error: string };

/**
 * The jq that Stage files are written in: paths, `[]`, `?`, pipes, `,`, `//`, comparisons, arithmetic, `and`, `or`, `if`, lists and the
 * functions of functions.ts. No variables, definitions, `reduce`, objects and regular expressions.
 */
export function parseQuery(source: string): QueryReading {
  try {
    const reader: Reader = { tokens: tokensOf(source), at: 0, depth: 0 };
    const query = parsePipe(reader);
    const left = peek(reader);
    if (left !== undefined) throw new QueryFault(`unexpected ${JSON.stringify(left)}`);
    return { outcome: 'read', query };
  } catch (error) {
    if (error instanceof QueryFault) return { outcome: 'wrong', error: `${JSON.stringify(source)}: ${error.message}` };
    throw error;
  }
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  depth: number;
}

const peek = ({ tokens, at }: Reader): string | undefined => tokens[at];

function takes(reader: Reader, ...words: readonly string[]): string | undefined {
  const word = peek(reader);
  if (word === undefined || !words.includes(word)) return undefined;
  reader.at += 1;
  return word;
}

function expect(reader: Reader, word: string): void {
  if (takes(reader, word) === undefined) {
    throw new QueryFault(`${JSON.stringify(word)} is expected before ${JSON.stringify(peek(reader) ?? 'the end')}`);
  }
}

const deepest = 50;

function parsePipe(reader: Reader): Query {
  reader.depth += 1;
  if (reader.depth > deepest) throw new QueryFault(`there are more than ${deepest} levels`);
  let query = parseComma(reader);
  while (takes(reader, '|')) query = { type: 'pipe', first: query, second: parseComma(reader) };
  reader.depth -= 1;
  return query;
}

function parseComma(reader: Reader): Query {
  let query = parseBinary(reader, 0);
  while (takes(reader, ',')) query = { type: 'both', first: query, second: parseBinary(reader, 0) };
  return query;
}

/** From the weakest to the strongest. */
const binaries: readonly (readonly string[])[] = [
  ['//'],
  ['or'],
  ['and'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

function parseBinary(reader: Reader, level: number): Query {
  const signs = binaries[level];
  if (!signs) return parsePostfix(reader);
  let left = parseBinary(reader, level + 1);
  for (let sign = takes(reader, ...signs); sign !== undefined; sign = takes(reader, ...signs)) {
    left = { type: 'operation', sign, left, right: parseBinary(reader, level + 1) };
  }
  return left;
}

const identity: Query = { type: 'identity' };

function parsePostfix(reader: Reader): Query {
  let query = parseTerm(reader);
  for (;;) {
    const word = peek(reader);
    if (word === '[') query = parseBrackets(reader, query);
    else if (word === '?') {
      reader.at += 1;
      query = { type: 'optional', of: query };
    } else if (word === '.') {
      reader.at += 1;
      if (peek(reader) !== '[')
        query = { type: 'member', of: query, key: { type: 'literal', value: readString(reader) } };
    } else if (word !== undefined && /^\.\w/.test(word)) {
      reader.at += 1;
      query = { type: 'member', of: query, key: { type: 'literal', value: word.slice(1) } };
    } else return query;
  }
}

function parseBrackets(reader: Reader, of: Query): Query {
  expect(reader, '[');
  if (takes(reader, ']')) return { type: 'each', of };
  const key = parsePipe(reader);
  expect(reader, ']');
  return { type: 'member', of, key };
}

function readString(reader: Reader): string {
  const word = peek(reader) ?? '';
  if (!word.startsWith('"')) throw new QueryFault(`unexpected ${JSON.stringify(word === '' ? 'end' : word)}`);
  reader.at += 1;
  return unquoted(word);
}

function unquoted(word: string): string {
  if (word.includes('\\(')) throw new QueryFault('text with \\(…) in it is not supported');
  try {
    return String(JSON.parse(word));
  } catch {
    throw new QueryFault(`${word} is no text`);
  }
}

function parseTerm(reader: Reader): Query {
  const word = peek(reader);
  if (word === undefined) throw new QueryFault('it ends too soon');
  reader.at += 1;
  if (word === '.')
    return peek(reader)?.startsWith('"')
      ? { type: 'member', of: identity, key: { type: 'literal', value: readString(reader) } }
      : identity;
  if (/^\.\w/.test(word)) return { type: 'member', of: identity, key: { type: 'literal', value: word.slice(1) } };
  if (word.startsWith('"')) return { type: 'literal', value: unquoted(word) };
  if (/^\d/.test(word)) return { type: 'literal', value: Number(word) };
  if (word === '-')
    return { type: 'operation', sign: '-', left: { type: 'literal', value: 0 }, right: parsePostfix(reader) };
  if (word === '(') {
    const query = parsePipe(reader);
    expect(reader, ')');
    return query;
  }
  if (word === '[') return parseList(reader);
  if (word === 'if') return parseChoice(reader);
  return parseName(word, reader);
}

function parseList(reader: Reader): Query {
  if (takes(reader, ']')) return { type: 'list', of: undefined };
  const of = parsePipe(reader);
  expect(reader, ']');
  return { type: 'list', of };
}

function parseChoice(reader: Reader): Query {
  const test = parsePipe(reader);
  expect(reader, 'then');
  const yes = parsePipe(reader);
  if (takes(reader, 'elif')) return { type: 'choice', test, yes, no: parseChoice(reader) };
  const no = takes(reader, 'else') ? parsePipe(reader) : identity;
  expect(reader, 'end');
  return { type: 'choice', test, yes, no };
}

const constants = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function parseName(name: string, reader: Reader): Query {
  const constant = constants.get(name);
  if (constant !== undefined) return { type: 'literal', value: constant };
  const args: Query[] = [];
  if (takes(reader, '(')) {
    do args.push(parsePipe(reader));
    while (takes(reader, ';'));
    expect(reader, ')');
  }
  if (!jqFunctions.has(`${name}/${args.length}`)) throw new QueryFault(`${name}/${args.length} is not supported`);
  return { type: 'call', name, args };
}
