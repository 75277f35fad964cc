import { goQuote } from '../../machinery/meta/field-error.ts';
import type { CelOperation } from '../run/frame.ts';
import { box, CelError, int, isBox, onBox, noSuchOverload, type CelResult, type Value } from '../value/value.ts';
import type { Semver } from './opaque-values.ts';
import { type FunctionRow, readCost, unitCost } from './cel-function.ts';

/** A version, or the error of the library that kube-apiserver uses. Follows blang/semver v4. */
function parseSemver(text: string): Semver | string {
  if (text === '') return 'Version string empty';
  const [major, minor, rest] = splitVersion(text);
  if (minor === undefined || rest === undefined) return 'No Major.Minor.Patch elements found';
  const [beforeBuild, afterPlus] = cutAt(rest, '+');
  const [patch, afterDash] = cutAt(beforeBuild, '-');
  const error = numberError('Major', major) ?? numberError('Minor', minor) ?? numberError('Patch', patch);
  if (error !== undefined) return error;
  const prerelease = parseIdentifiers(afterDash, prereleaseFault);
  const build = parseIdentifiers(afterPlus, buildFault);
  return (
    identifierError(prerelease) ??
    identifierError(build) ?? {
      major: BigInt(major),
      minor: BigInt(minor),
      patch: BigInt(patch),
      prerelease: prerelease.all,
      identity: `${major} ${minor} ${patch} ${afterDash ?? ''}`,
    }
  );
}

/** The text before the first separator, and after it. */
function cutAt(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function splitVersion(text: string): readonly [string, string | undefined, string | undefined] {
  const [first, others] = cutAt(text, '.');
  return others === undefined ? [first, undefined, undefined] : [first, ...cutAt(others, '.')];
}

/** The error of a part. */
type Fault = (part: string) => string;

const withQuote =
  (sentence: string): Fault =>
  (part) =>
    `${sentence} ${goQuote(part)}`;

const numberError = (name: string, text: string): string | undefined => numberFault(name, text)?.(text);

function numberFault(name: string, text: string): Fault | undefined {
  if (/[^0-9]/.test(text)) return withQuote(`Invalid character(s) found in ${name.toLowerCase()} number`);
  if (/^0./.test(text)) return withQuote(`${name} number must not contain leading zeroes`);
  return rangeFault(text);
}

const maxDigits = 20;

/** Go's error for digits that are no number of 64 bits. */
function rangeFault(digits: string): Fault | undefined {
  if (digits !== '' && digits.length <= maxDigits && BigInt.asUintN(64, BigInt(digits)) === BigInt(digits)) {
    return undefined;
  }
  const reason = digits === '' ? 'invalid syntax' : 'value out of range';
  return (part) => `strconv.ParseUint: parsing ${goQuote(part)}: ${reason}`;
}

const identifier = /^[0-9A-Za-z-]+$/;

function prereleaseFault(part: string): Fault | undefined {
  if (part === '') return () => 'Prerelease is empty';
  if (!identifier.test(part)) return withQuote('Invalid character(s) found in prerelease');
  if (!isNumeric(part)) return undefined;
  return /^0./.test(part) ? withQuote('Numeric PreRelease version must not contain leading zeroes') : rangeFault(part);
}

function buildFault(part: string): Fault | undefined {
  if (part === '') return () => 'Build meta data is empty';
  return identifier.test(part) ? undefined : withQuote('Invalid character(s) found in build meta data');
}

const isNumeric = (part: string): boolean => !/[^0-9]/.test(part);

/** The identifiers between dots, and the first error. */
interface Identifiers {
  readonly all: string[];
  wrong: { readonly part: string; readonly fault: Fault } | undefined;
}

function parseIdentifiers(text: string | undefined, faultOf: (part: string) => Fault | undefined): Identifiers {
  if (text === undefined) return { all: [], wrong: undefined };
  const all = text.split('.');
  for (const part of all) {
    const fault = faultOf(part);
    if (fault) return { all, wrong: { part, fault } };
  }
  return { all, wrong: undefined };
}

const identifierError = ({ wrong }: Identifiers): string | undefined => wrong?.fault(wrong.part);

/** Like `parseSemver`, but lenient: a leading `v`, leading zeros, no patch. Follows apiserver pkg/cel/library/semverlib.go. */
function parseLenientSemver(text: string): Semver | string {
  const parts = splitVersion(text.replace(/^v/, ''))
    .filter((part) => part !== undefined)
    .map(trimLeadingZeros);
  if (parts.length < 3 && /[-+]/.test(parts.at(-1) ?? '')) {
    return 'short version cannot contain PreRelease/Build meta data';
  }
  while (parts.length < 3) parts.push('0');
  return parseSemver(parts.join('.'));
}

function trimLeadingZeros(part: string): string {
  if (part.length <= 1) return part;
  const stripped = part.replace(/^0+/, '');
  return /^\d/.test(stripped) ? stripped : `0${stripped}`;
}

/** -1, 0 or 1. Build metadata does not count. */
function compareSemver(a: Semver, b: Semver): number {
  const numbers = [
    [a.major, b.major],
    [a.minor, b.minor],
    [a.patch, b.patch],
  ] as const;
  for (const [left, right] of numbers) if (left !== right) return left < right ? -1 : 1;
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length) - Math.sign(a.prerelease.length);
  }
  return comparePrerelease(a.prerelease, b.prerelease);
}

function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = compareIdentifiers(a[at] ?? '', b[at] ?? '');
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

function compareIdentifiers(a: string, b: string): number {
  if (a === b) return 0;
  const numericA = isNumeric(a);
  const numericB = isNumeric(b);
  if (numericA !== numericB) return numericA ? -1 : 1;
  if (numericA && a.length !== b.length) return Math.sign(a.length - b.length);
  return a > b ? 1 : -1;
}

const parseVersion = (text: string, normalize: Value): Semver | string =>
  normalize === true ? parseLenientSemver(text) : parseSemver(text);

const semver: CelOperation = (text, normalize) => {
  if (typeof text !== 'string' || (normalize !== null && typeof normalize !== 'boolean')) return noSuchOverload;
  const parsed = parseVersion(text, normalize);
  return typeof parsed === 'string' ? new CelError(parsed) : box('semver', parsed);
};

const isSemver: CelOperation = (text, normalize) =>
  typeof text === 'string' ? typeof parseVersion(text, normalize) !== 'string' : noSuchOverload;

/** Semantic versions; comparisons are shared with quantities. Follows apiserver pkg/cel/library/semverlib.go. */
export const semverFunctions: readonly FunctionRow[] = [
  ['semver', semver, readCost],
  ['isSemver', isSemver, readCost],
  ['major', onBox('semver', ({ major }) => int(major)), unitCost],
  ['minor', onBox('semver', ({ minor }) => int(minor)), unitCost],
  ['patch', onBox('semver', ({ patch }) => int(patch)), unitCost],
];

/** The order of two versions, or undefined when the first is none. */
export function compareVersion(toResult: (order: number) => CelResult): CelOperation {
  return (a, b) =>
    isBox(a, 'semver') && isBox(b, 'semver') ? toResult(compareSemver(a.value, b.value)) : noSuchOverload;
}
