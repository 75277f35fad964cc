import { RE2JS } from 're2js';
import { errorText } from '../../machinery/errors.ts';
import { CelError } from '../value/value.ts';

const compiledPatterns = new Map<string, RE2JS | CelError>();
const cacheSize = 1000;

/** The pattern in RE2's syntax, or Go's error about it. The last thousand are kept. */
export function compileRegex(pattern: string): RE2JS | CelError {
  const cached = compiledPatterns.get(pattern);
  if (cached !== undefined) return cached;
  const compiled = compilePattern(pattern);
  if (compiledPatterns.size >= cacheSize) compiledPatterns.clear();
  compiledPatterns.set(pattern, compiled);
  return compiled;
}

/** Longer patterns take long to compile, and do not occur in practice. */
const maxPatternLength = 10_000;

function compilePattern(pattern: string): RE2JS | CelError {
  if (pattern.length > maxPatternLength) return new CelError('error parsing regexp: expression too large');
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const text = errorText(error);
    // Go accepts a repeated name, and prints an empty error.
    const unnamed = text.includes(duplicateName) ? withoutNames(pattern) : pattern;
    if (unnamed !== pattern) return compilePattern(unnamed);
    return new CelError(text.includes('`') ? text : `${text}: \`\``);
  }
}

const duplicateName = 'duplicate capture group name';

/** A parenthesis between \Q and \E, after a backslash or in brackets begins no group. */
const withoutNames = (pattern: string): string =>
  pattern.replaceAll(
    /(\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]?)|\(\?P?<\w+>/g,
    (_all, kept) => kept ?? '(',
  );

/**
 * A search takes time in proportion to characters times instructions of the pattern, and a counted repetition has many
 * instructions. Refuses searches of more than a second; the cost of an expression does not include instructions.
 */
const maxSearchSteps = 50_000_000;
/** Finding whether there is a match takes less time than finding its position. */
const maxTestSteps = 100_000_000;

const tooLong = new CelError('the text is too long to be searched for this regular expression');

export const isMatch = (regex: RE2JS, text: string): boolean | CelError =>
  text.length * regex.programSize() > maxTestSteps ? tooLong : regex.test(text);

/** Every match from the left, at most `limit`. Follows go src/regexp/regexp.go allMatches. */
export function allMatches(regex: RE2JS, text: string, limit: number): readonly string[] | CelError {
  const matches: string[] = [];
  const matcher = regex.matcher(text);
  let remainingSteps = maxSearchSteps / regex.programSize();
  let end = -1;
  while (matches.length < limit) {
    // A search may read the whole text, even for a short match.
    remainingSteps -= text.length - Math.max(end, 0);
    if (remainingSteps < 0) return tooLong;
    if (!matcher.find()) break;
    const match = matcher.group() ?? '';
    if (match !== '' || matcher.start() !== end) matches.push(match);
    end = matcher.end();
  }
  return matches;
}
