import type { Operation } from '../run/operation.ts';
import { box, CelError, int, isBox, noSuchOverload } from '../value/value.ts';
import type { Result, Value } from '../value/value.ts';
import { compareSemver, parseLenientSemver, parseSemver } from './parse-semver.ts';
import type { Semver } from './semver-value.ts';

const read = (text: string, normalize: Value): Semver | string =>
  normalize === true ? parseLenientSemver(text) : parseSemver(text);

const semver: Operation = (text, normalize) => {
  if (typeof text !== 'string' || (normalize !== null && typeof normalize !== 'boolean')) return noSuchOverload;
  const parsed = read(text, normalize);
  return typeof parsed === 'string' ? new CelError(parsed) : box('semver', parsed);
};

const isSemver: Operation = (text, normalize) =>
  typeof text === 'string' ? typeof read(text, normalize) !== 'string' : noSuchOverload;

const field =
  (get: (version: Semver) => bigint): Operation =>
  (value) =>
    isBox(value, 'semver') ? int(get(value.value)) : noSuchOverload;

/** Semantic versions; `isLessThan` and its like are shared with quantities. Follows apiserver pkg/cel/library/semverlib.go. */
export const semverOperations: readonly (readonly [string, Operation])[] = [
  ['semver', semver],
  ['isSemver', isSemver],
  ['major', field(({ major }) => major)],
  ['minor', field(({ minor }) => minor)],
  ['patch', field(({ patch }) => patch)],
];

/** The order of two versions, or undefined when the first is none. */
export function semverComparison(answer: (order: number) => Result): Operation {
  return (a, b) =>
    isBox(a, 'semver') && isBox(b, 'semver') ? answer(compareSemver(a.value, b.value)) : noSuchOverload;
}
