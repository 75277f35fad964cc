import { CST } from 'yaml';
import { append } from '../json/append.ts';
import { levelsAfter } from './lex-yaml.ts';

/** The escape of half a character, which go-yaml refuses; the library refuses `\U` of four digits. */
const surrogate = /((?<!\\)(?:\\\\)*\\)u(?=[dD][89a-fA-F])/g;

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
      append(scanned, levels > 0 ? partsOf(lexeme) : [CST.SCALAR, lexeme]);
      continue;
    }
    if (levels > 0 && ending.has(lexeme)) mergeColon(scanned);
    if (levels > 0 && lexeme === ':' && isLongKey(scanned)) scanned.push(CST.SCALAR, '');
    scanned.push(lexeme.startsWith('"') ? lexeme.replaceAll(surrogate, '$1U') : lexeme);
    levels = levelsAfter(lexeme, levels);
  }
  return scanned;
}

/** The parts of a plain scalar inside brackets. */
const partsOf = (scalar: string): readonly string[] =>
  scalar
    .split(/(^:|\?)/)
    .flatMap((part) => (part === ':' || part === '?' ? [part] : part === '' ? [] : [CST.SCALAR, part]));

const ending: ReadonlySet<string> = new Set([',', '[', ']', '{', '}']);

/** `[a:]`: the colon at the end belongs to the plain scalar before it. */
function mergeColon(lexemes: string[]): void {
  if (lexemes.at(-1) !== ':' || lexemes.at(-3) !== CST.SCALAR) return;
  lexemes.splice(-2, 2, `${lexemes.at(-2)}:`);
}

/**
 * Is there a line break in the key at the end, or behind it? To go-yaml it is no key then: an empty scalar behind it makes
 * the colon an error.
 */
function isLongKey(lexemes: readonly string[]): boolean {
  let at = lexemes.length - 1;
  while (blank.test(lexemes[at] ?? 'none')) at -= 1;
  const key = lexemes[at] ?? '';
  const isPlain = lexemes[at - 1] === CST.SCALAR;
  if (!isPlain && !/^["']/.test(key)) return false;
  const isBroken = key.includes('\n') || lexemes.slice(at + 1).some((lexeme) => lexeme.includes('\n'));
  if (!isBroken) return false;
  at -= isPlain ? 2 : 1;
  while (blank.test(lexemes[at] ?? 'none')) at -= 1;
  return lexemes[at] !== '?';
}

/** White space and comments. */
const blank = /^(?:\s|#|$)/;
