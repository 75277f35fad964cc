import { CST, Lexer } from 'yaml';

/** A bracket or quote that is open. */
interface Opening {
  readonly offset: number;
  /** How many lexemes stand before it. */
  readonly before: number;
}

/**
 * Splits a YAML text into lexemes, as far as it is not too long or too deep. go-yaml reads lines inside brackets and quotes
 * at any indentation, but the library ends them at a line that is indented less than their key. Then they are lexed again
 * as the root of a document, where indentation does not matter.
 */
export function lexYaml(text: string, most: number, deepest: number): readonly string[] {
  const lexemes: string[] = [];
  let lexing = new Lexer().lex(text);
  let rootOffset = 0;
  let offset = 0;
  let levels = 0;
  let opening: Opening = { offset: 0, before: 0 };
  for (
    let next = lexing.next();
    next.done !== true && lexemes.length < most && levels <= deepest;
    next = lexing.next()
  ) {
    const lexeme = next.value;
    const isContent = lexemes.at(-1) === CST.SCALAR;
    if (levels === 0) opening = { offset, before: lexemes.length };
    const isUnfinished = lexeme === CST.FLOW_END || (!isContent && isCutQuote(lexeme));
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
    if (!isContent) levels = levelsAfter(lexeme, levels);
  }
  return lexemes;
}

/** They stand for no characters of the text. */
const isMark = (lexeme: string): boolean => lexeme === CST.SCALAR || lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END;

/** How many brackets are open behind a lexeme. */
export function levelsAfter(lexeme: string, levels: number): number {
  if (lexeme === '[' || lexeme === '{') return levels + 1;
  if (lexeme === ']' || lexeme === '}') return Math.max(0, levels - 1);
  return lexeme === CST.FLOW_END ? 0 : levels;
}

/** A text that begins with a quote and does not end with one, or with one that is escaped. */
function isCutQuote(lexeme: string): boolean {
  const quote = lexeme.charAt(0);
  if (quote !== '"' && quote !== "'") return false;
  if (lexeme.length === 1 || !lexeme.endsWith(quote)) return true;
  const escape = quote === '"' ? '\\' : quote;
  const end = lexeme.length - 1;
  let from = end;
  while (from > 1 && lexeme[from - 1] === escape) from -= 1;
  return (end - from) % 2 === 1;
}

/** Values that a lexeme adds; a colon says that one of them is a key. */
const valuesOf: Readonly<Record<string, number | undefined>> = {
  scalar: 1,
  'single-quoted-scalar': 1,
  'double-quoted-scalar': 1,
  alias: 1,
  'flow-map-start': 1,
  'flow-seq-start': 1,
  'map-value-ind': -1,
};

/** What a text may have more often than values. */
const unlimited: ReadonlySet<string> = new Set(['space', 'newline', 'comment', 'scalar', 'content']);

/** Counts lexemes one by one: true when they cannot be those of at most so many values. */
export function createLexemeCounter(mostValues: number): (lexeme: string) => boolean {
  const counts: Record<string, number> = {};
  let values = 0;
  let isContent = false;
  return (lexeme) => {
    const type = isContent ? 'content' : (CST.tokenType(lexeme) ?? 'error');
    isContent = lexeme === CST.SCALAR;
    const count = (counts[type] ?? 0) + 1;
    counts[type] = count;
    values += valuesOf[type] ?? 0;
    return values > mostValues || (count > mostValues && !unlimited.has(type));
  };
}
