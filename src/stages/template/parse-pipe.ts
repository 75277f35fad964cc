import { TemplateFault } from './fault.ts';
import { readLiteral } from './literal.ts';
import type { Token } from './scan.ts';
import type { Command, Operand, Pipe } from './tree.ts';

/** What a name may stand for. */
export interface Known {
  readonly isFunction: (name: string) => boolean;
  readonly variables: readonly string[];
}

/** The pipeline of an action; that of a range may make two variables. Throws TemplateFault. */
export function parsePipe(tokens: readonly Token[], known: Known, line: number, isRange = false): Pipe {
  const reader: Reader = { tokens, at: 0 };
  try {
    const { variables, sign } = readVariables(reader, isRange);
    const unknown = sign === '=' ? variables.find((name) => !known.variables.includes(name)) : undefined;
    if (unknown !== undefined) throw new TemplateFault(`undefined variable ${JSON.stringify(unknown)}`);
    const pipe = { variables, declares: sign === ':=', commands: parseCommands(reader, known) };
    const left = tokens[reader.at];
    if (left) throw new TemplateFault(`unexpected ${JSON.stringify(left.text)}`);
    return pipe;
  } catch (error) {
    throw error instanceof TemplateFault ? new TemplateFault(`line ${line}: ${error.message}`) : error;
  }
}

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
}

/** `$x :=`, `$x =`, and in a range `$i, $x :=`. */
function readVariables(
  reader: Reader,
  isRange: boolean,
): { readonly variables: readonly string[]; readonly sign: string } {
  const end = reader.tokens.findIndex(({ text }) => text === ':=' || text === '=');
  const head = reader.tokens.slice(0, Math.max(0, end));
  const variables = head.filter(({ type }) => type === 'variable').map(({ text }) => text);
  const isOne = head.length === 1 && variables.length === 1;
  const isTwo = isRange && head.length === 3 && variables.length === 2 && head[1]?.text === ',';
  if (!isOne && !isTwo) return { variables: [], sign: '' };
  reader.at = end + 1;
  return { variables, sign: reader.tokens[end]?.text ?? '' };
}

function parseCommands(reader: Reader, known: Known): readonly Command[] {
  const commands = [parseCommand(reader, known)];
  for (; reader.tokens[reader.at]?.text === '|';) {
    reader.at += 1;
    commands.push(parseCommand(reader, known));
  }
  if (commands.slice(1).some(([first]) => first?.type === 'literal')) {
    throw new TemplateFault('a value cannot stand behind "|": a function is expected');
  }
  return commands;
}

function parseCommand(reader: Reader, known: Known): Command {
  const operands: Operand[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (!token || token.text === '|' || token.text === ')') break;
    reader.at += 1;
    operands.push(parseOperand(token, reader, known));
  }
  const [first] = operands;
  if (!first) throw new TemplateFault('missing value');
  if (operands.length > 1 && first.type !== 'function') {
    throw new TemplateFault('arguments are given to something that is no function');
  }
  return operands;
}

function parseOperand(token: Token, reader: Reader, known: Known): Operand {
  switch (token.type) {
    case 'string':
    case 'number':
      return { type: 'literal', value: readLiteral(token.text) };
    case 'dot':
      return { type: 'dot', path: [] };
    case 'field':
      return { type: 'dot', path: [token.text.slice(1), ...readPath(reader)] };
    case 'variable':
      if (token.text !== '$' && !known.variables.includes(token.text)) {
        throw new TemplateFault(`undefined variable ${JSON.stringify(token.text)}`);
      }
      return { type: 'variable', name: token.text, path: readPath(reader) };
    case 'word':
      return parseWord(token.text, reader, known);
    case 'sign':
      if (token.text === '(') return parseParentheses(reader, known);
      throw new TemplateFault(`unexpected ${JSON.stringify(token.text)}`);
  }
}

const constants = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['nil', null],
]);

function parseWord(word: string, reader: Reader, known: Known): Operand {
  const constant = constants.get(word);
  if (constant !== undefined) return { type: 'literal', value: constant };
  if (!known.isFunction(word)) throw new TemplateFault(`function ${JSON.stringify(word)} is not known here`);
  return { type: 'function', name: word, path: readPath(reader) };
}

function parseParentheses(reader: Reader, known: Known): Operand {
  const commands = parseCommands(reader, known);
  if (reader.tokens[reader.at]?.text !== ')') throw new TemplateFault('unclosed left paren');
  reader.at += 1;
  return { type: 'pipe', pipe: { variables: [], declares: false, commands }, path: readPath(reader) };
}

/** `.a.b` that follows at once. */
function readPath(reader: Reader): readonly string[] {
  const path: string[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token?.type !== 'field' || !token.joined) return path;
    path.push(token.text.slice(1));
    reader.at += 1;
  }
}
