import { RE2JS } from 're2js';
import { errorText } from '../../apimachinery/error-text.ts';
import { isInTurns, stepsInTurns } from '../../apimachinery/in-turns.ts';
import { CelError } from '../value/value.ts';

import { testInSteps } from './long-search.ts';

const compiled = new Map<string, RE2JS | CelError>();
const cacheSize = 1000;

/** The pattern in RE2's syntax, or Go's complaint about it. The last thousand are kept. */
export function compileRegex(pattern: string): RE2JS | CelError {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = compileFresh(pattern);
  if (compiled.size >= cacheSize) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/** Compiling longer ones takes long, and nobody writes them. */
const longestPattern = 10_000;

function compileFresh(pattern: string): RE2JS | CelError {
  if (pattern.length > longestPattern) return new CelError('error parsing regexp: expression too large');
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const text = errorText(error);
    // Go takes a name twice, and prints what is wrong even if that is nothing.
    const bare = text.includes(nameTwice) ? withoutNames(pattern) : pattern;
    if (bare !== pattern) return compileFresh(bare);
    return new CelError(text.includes('`') ? text : `${text}: \`\``);
  }
}

const nameTwice = 'duplicate capture group name';

/** What stands between \Q and \E, behind a backslash or in brackets begins no group. */
const withoutNames = (pattern: string): string =>
  pattern.replaceAll(
    /(\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\])|\(\?P?<\w+>/g,
    (_all, kept) => kept ?? '(',
  );

/** A pattern of a thousand instructions takes 50 microseconds for each character. */
const longText = 1000;

/** Should a search in this text let others in? */
export const isLongSearch = (text: string): boolean => text.length > longText && isInTurns();

export const isMatch = (regex: RE2JS, text: string): boolean =>
  isLongSearch(text) ? stepsInTurns(() => testInSteps(regex, text)) : regex.test(text);
