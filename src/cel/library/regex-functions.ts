import type { CelOperation } from '../run/operation.ts';
import { allMatches, compileRegex, isMatch } from '../run/regex.ts';
import { CelError, noSuchOverload } from '../value/value.ts';
import { smallInt } from './argument.ts';

const matchesOperation: CelOperation = (text, pattern) => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? regex : isMatch(regex, text);
};

const illegal = ({ message }: CelError): CelError => new CelError(`Illegal regex: ${message}`);

const find: CelOperation = (text, pattern) => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload;
  const regex = compileRegex(pattern);
  const matches = regex instanceof CelError ? illegal(regex) : allMatches(regex, text, 1);
  return matches instanceof CelError ? matches : (matches[0] ?? '');
};

const findAll: CelOperation = (text, pattern, count) => {
  const limit = count === null ? -1 : smallInt(count);
  if (typeof text !== 'string' || typeof pattern !== 'string' || limit === undefined) return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? illegal(regex) : allMatches(regex, text, limit < 0 ? Infinity : limit);
};

/** Regular expressions in RE2's syntax. Follows cel-go common/stdlib and apiserver pkg/cel/library/regex.go. */
export const regexOperations: readonly (readonly [string, CelOperation])[] = [
  ['matches', matchesOperation],
  ['find', find],
  ['findAll', findAll],
];
