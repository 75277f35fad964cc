import type { RE2JS } from 're2js';
import { stepsInTurns } from '../../apimachinery/in-turns.ts';
import { findInSteps } from '../run/long-search.ts';
import type { Operation } from '../run/operation.ts';
import { compileRegex, isLongSearch, isMatch } from '../run/regex.ts';
import { CelError, noSuchOverload } from '../value/value.ts';
import { smallInt } from './argument.ts';

const matches: Operation = (text, pattern) => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? regex : isMatch(regex, text);
};

/** Every match from the left, at most `limit`. Follows go src/regexp/regexp.go allMatches. */
function allMatches(regex: RE2JS, text: string, limit: number): readonly string[] {
  if (isLongSearch(text)) return stepsInTurns(() => findInSteps(regex, text, limit));
  const found: string[] = [];
  const matcher = regex.matcher(text);
  for (let last = -1; found.length < limit && matcher.find(); last = matcher.end()) {
    const match = matcher.group() ?? '';
    if (match !== '' || matcher.start() !== last) found.push(match);
  }
  return found;
}

const illegal = ({ message }: CelError): CelError => new CelError(`Illegal regex: ${message}`);

const find: Operation = (text, pattern) => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? illegal(regex) : (allMatches(regex, text, 1)[0] ?? '');
};

const findAll: Operation = (text, pattern, count) => {
  const limit = count === null ? -1 : smallInt(count);
  if (typeof text !== 'string' || typeof pattern !== 'string' || limit === undefined) return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? illegal(regex) : allMatches(regex, text, limit < 0 ? Infinity : limit);
};

/** Regular expressions in RE2's syntax. Follows cel-go common/stdlib and apiserver pkg/cel/library/regex.go. */
export const regexOperations: readonly (readonly [string, Operation])[] = [
  ['matches', matches],
  ['find', find],
  ['findAll', findAll],
];
