import { CST, Lexer } from 'yaml';
import { append } from '../json/json.ts';

/** A bracket or quote that is open. */
interface Opening {
  readonly offset: number;
  /** How many lexemes precede it. */
  readonly before: number;
}

/**
 * Splits a YAML text into lexemes, up to the limits of length and depth. go-yaml accepts any indentation inside
 * brackets and quotes, but the library ends them at a line that is indented less than their key. Such a part is lexed
 * again as the root of a document, where indentation does not matter.
 */
export function lexYaml(text: string, max: number, deepest: number): readonly string[] {
  const lexemes: string[] = [];
  let lexing = new Lexer().lex(text);
  let rootOffset = 0;
  let offset = 0;
  let levels = 0;
  let opening: Opening = { offset: 0, before: 0 };
  for (
    let next = lexing.next();
    next.done !== true && lexemes.length < max && levels <= deepest;
    next = lexing.next()
  ) {
    const lexeme = next.value;
    const isContent = lexemes.at(-1) === CST.SCALAR;
    if (levels === 0) opening = { offset, before: lexemes.length };
    const isUnfinished = lexeme === CST.FLOW_END || (!isContent && isUnterminatedQuote(lexeme));
    if (isUnfinished && opening.offset > rootOffset) {
      lexing = new Lexer().lex(text.slice(opening.offset));
      lexing.next(); // the start of a document
      rootOffset = opening.offset;
      offset = opening.offset;
      lexemes.length = opening.before;
      levels = 0;
      continue;
    }
    lexemes.push(lexeme);
    if (!isMark(lexeme)) offset += lexeme.length;
    if (!isContent) levels = nestingAfter(lexeme, levels);
  }
  return lexemes;
}

/** Lexemes without characters in the text. */
const isMark = (lexeme: string): boolean => lexeme === CST.SCALAR || lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END;

/** How many brackets are open after a lexeme. */
export function nestingAfter(lexeme: string, levels: number): number {
  if (lexeme === '[' || lexeme === '{') return levels + 1;
  if (lexeme === ']' || lexeme === '}') return Math.max(0, levels - 1);
  return lexeme === CST.FLOW_END ? 0 : levels;
}

/** A text that begins with a quote and lacks the closing one, or has it escaped. */
function isUnterminatedQuote(lexeme: string): boolean {
  const quote = lexeme.charAt(0);
  if (quote !== '"' && quote !== "'") return false;
  if (lexeme.length === 1 || !lexeme.endsWith(quote)) return true;
  const escape = quote === '"' ? '\\' : quote;
  const end = lexeme.length - 1;
  let from = end;
  while (from > 1 && lexeme[from - 1] === escape) from -= 1;
  return (end - from) % 2 === 1;
}

/** How many values a lexeme adds; a colon makes one of them a key. */
const valuesOfLexeme: Readonly<Record<string, number | undefined>> = {
  scalar: 1,
  'single-quoted-scalar': 1,
  'double-quoted-scalar': 1,
  alias: 1,
  'flow-map-start': 1,
  'flow-seq-start': 1,
  'map-value-ind': -1,
};

/** Lexemes that the limit does not count. */
const uncountedLexemes: ReadonlySet<string> = new Set(['space', 'newline', 'comment', 'scalar', 'content']);

/** Counts lexemes one by one; returns true when there are more than `maxValues` values can have. */
export function createLexemeCounter(maxValues: number): (lexeme: string) => boolean {
  const counts: Record<string, number> = {};
  let values = 0;
  let isContent = false;
  return (lexeme) => {
    const type = isContent ? 'content' : (CST.tokenType(lexeme) ?? 'error');
    isContent = lexeme === CST.SCALAR;
    const count = (counts[type] ?? 0) + 1;
    counts[type] = count;
    values += valuesOfLexeme[type] ?? 0;
    return values > maxValues || (count > maxValues && !uncountedLexemes.has(type));
  };
}

/** Why a YAML text is refused. */
export class YamlFault extends Error {}

/** The escape of a surrogate, which go-yaml refuses; the library refuses `\U` with four digits. */
const surrogateEscape = /((?<!\\)(?:\\\\)*\\)u(?=[dD][89a-fA-F])/g;

/**
 * Lexemes as go-yaml's scanner ends them inside brackets: a question mark ends a plain scalar, a colon before a bracket or
 * comma belongs to it, and a key without a question mark is on one line. Follows goyaml.v2 scannerc.go.
 */
export function scanAsGo(lexemes: readonly string[]): readonly string[] {
  const scanned: string[] = [];
  let levels = 0;
  for (const lexeme of lexemes) {
    if (scanned.at(-1) === CST.SCALAR) {
      scanned.pop();
      append(scanned, levels > 0 ? splitPlainScalar(lexeme) : [CST.SCALAR, lexeme]);
      continue;
    }
    if (levels > 0 && flowIndicators.has(lexeme)) mergeColon(scanned);
    if (levels > 0 && lexeme === ':' && isLongKey(scanned)) scanned.push(CST.SCALAR, '');
    scanned.push(lexeme.startsWith('"') ? lexeme.replaceAll(surrogateEscape, '$1U') : lexeme);
    levels = nestingAfter(lexeme, levels);
  }
  return scanned;
}

/** The parts of a plain scalar inside brackets. */
const splitPlainScalar = (scalar: string): readonly string[] =>
  scalar
    .split(/(^:|\?)/)
    .flatMap((part) => (part === ':' || part === '?' ? [part] : part === '' ? [] : [CST.SCALAR, part]));

const flowIndicators: ReadonlySet<string> = new Set([',', '[', ']', '{', '}']);

/** `[a:]`: the colon at the end belongs to the plain scalar before it. */
function mergeColon(lexemes: string[]): void {
  if (lexemes.at(-1) !== ':' || lexemes.at(-3) !== CST.SCALAR) return;
  lexemes.splice(-2, 2, `${lexemes.at(-2)}:`);
}

/**
 * Is there a line break in or after the key at the end? Then it is not a key for go-yaml: an empty scalar after it
 * makes the colon an error.
 */
function isLongKey(lexemes: readonly string[]): boolean {
  let at = lexemes.length - 1;
  while (blankLexeme.test(lexemes[at] ?? 'none')) at -= 1;
  const key = lexemes[at] ?? '';
  const isPlain = lexemes[at - 1] === CST.SCALAR;
  if (!isPlain && !/^["']/.test(key)) return false;
  const isBroken = key.includes('\n') || lexemes.slice(at + 1).some((lexeme) => lexeme.includes('\n'));
  if (!isBroken) return false;
  at -= isPlain ? 2 : 1;
  while (blankLexeme.test(lexemes[at] ?? 'none')) at -= 1;
  return lexemes[at] !== '?';
}

/** White space and comments. */
const blankLexeme = /^(?:\s|#|$)/;
