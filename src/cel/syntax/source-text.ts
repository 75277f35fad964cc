import { CharStream } from 'antlr4ng';
import { CELLexer } from '../grammar/generated/CELLexer.ts';
import { type Ast, type Expr, walk } from './ast.ts';
import { codePointLength, codePoints } from './code-points.ts';

/** A token's place in the text, in code points; `end` is exclusive. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The text of a part of an expression as it was written; a macro's parts have its own. Ours. */
export function createSourceText(ast: Ast, text: string): (expr: Expr) => string {
  const tokens = tokenize(text);
  const points = codePoints(text);
  return (expr) => {
    const [first, last] = includeBrackets(tokens, ...tokenRange(tokens, collectOffsets(ast, expr)));
    const written = points.slice(tokens[first]?.start, tokens[last]?.end).join('');
    return written.replaceAll(/\s+/g, ' ');
  };
}

function tokenize(text: string): readonly Token[] {
  const lexer = new CELLexer(CharStream.fromString(text));
  lexer.removeErrorListeners();
  return lexer
    .getAllTokens()
    .filter(({ channel }) => channel === 0)
    .map(({ text: written = '', start, stop }) => ({ text: written, start, end: stop + 1 }));
}

function collectOffsets({ offsets }: Ast, expr: Expr): readonly number[] {
  const positions: number[] = [];
  walk(expr, ({ id }) => {
    const offset = offsets.get(id);
    if (offset !== undefined) positions.push(offset);
  });
  return positions;
}

const isName = (token: Token | undefined): boolean =>
  token !== undefined && token.text !== 'in' && /^[A-Za-z_]\w*$/.test(token.text);

/** The tokens from the first part to the last. The position of a call is its bracket, that of a selection its dot. */
function tokenRange(tokens: readonly Token[], offsets: readonly number[]): readonly [first: number, last: number] {
  const at = (offset: number): number => tokens.findLastIndex(({ start }) => start <= offset);
  let first = at(offsets.reduce((a, b) => Math.min(a, b)));
  let last = at(offsets.reduce((a, b) => Math.max(a, b)));
  const isOpen = ['(', '{'].includes(tokens[first]?.text ?? '');
  if (isOpen && isName(tokens[first - 1])) {
    first -= 1;
    while (tokens[first - 1]?.text === '.' && isName(tokens[first - 2])) first -= 2;
  }
  if (tokens[last]?.text === '.') last += tokens[last + 1]?.text === '?' ? 2 : 1;
  return [first, last];
}

const opening = ['(', '[', '{', '[?'];
const closing = [')', ']', '}'];

/** The same, for brackets with another end. */
function includeBrackets(tokens: readonly Token[], from: number, to: number): readonly [first: number, last: number] {
  let [first, last] = [from, to];
  let open = 0;
  let lowest = 0;
  const count = (token: Token | undefined): number => {
    if (token === undefined) return 0;
    return Number(opening.includes(token.text)) - Number(closing.includes(token.text));
  };
  for (let index = first; index <= last; index += 1) {
    open += count(tokens[index]);
    lowest = Math.min(lowest, open);
  }
  for (open -= lowest; open > 0 && last < tokens.length - 1; open += count(tokens[last])) last += 1;
  for (; lowest < 0 && first > 0; lowest += count(tokens[first])) first -= 1;
  return [first, last];
}

/** An expression's text with its lines, in code points: columns and carets count what people see. */
export interface Source {
  readonly text: string;
  readonly lines: readonly string[];
}

/** A place in the text. `line` counts from 1, `column` from 0; no place is -1, -1. */
export interface CelLocation {
  readonly line: number;
  readonly column: number;
}

export const noLocation: CelLocation = { line: -1, column: -1 };

export const createSource = (text: string): Source => ({ text, lines: text === '' ? [] : text.split('\n') });

/** The place of an offset, both counted in code points. */
export function toLocation(source: Source, offset: number): CelLocation {
  let start = 0;
  for (const [index, line] of source.lines.entries()) {
    const length = codePointLength(line) + 1;
    if (offset < start + length) return { line: index + 1, column: offset - start };
    start += length;
  }
  return { line: Math.max(1, source.lines.length), column: Math.max(0, offset - start) };
}
