import { goQuote } from '../../apimachinery/field-error.ts';
import type { Semver } from './semver-value.ts';

/** A version, or the complaint of the library that kube-apiserver uses. Follows blang/semver v4. */
export function parseSemver(text: string): Semver | string {
  if (text === '') return 'Version string empty';
  const parts = splitLimited(text);
  if (parts === undefined) return 'No Major.Minor.Patch elements found';
  const [major, minor, rest] = parts;
  const [beforeBuild, build] = cut(rest, '+');
  const [patch, prerelease] = cut(beforeBuild, '-');
  const wrong =
    numberComplaint('Major', major) ??
    numberComplaint('Minor', minor) ??
    numberComplaint('Patch', patch) ??
    prereleaseComplaint(prerelease) ??
    buildComplaint(build);
  return wrong ?? semverOf([major, minor, patch], prerelease?.split('.') ?? []);
}

function semverOf([major, minor, patch]: readonly [string, string, string], prerelease: readonly string[]): Semver {
  const plain = prerelease.map((part) => (/^\d+$/.test(part) ? String(BigInt(part)) : part));
  return {
    major: BigInt(major),
    minor: BigInt(minor),
    patch: BigInt(patch),
    prerelease,
    identity: [major, minor, patch, ...plain].join(' '),
  };
}

/** What stands before the first separator, and after it. */
function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function splitLimited(text: string): readonly [string, string, string] | undefined {
  const [, major, minor, rest] = /^([^.]*)\.([^.]*)\.(.*)$/s.exec(text) ?? [];
  return major === undefined || minor === undefined || rest === undefined ? undefined : [major, minor, rest];
}

function numberComplaint(name: string, text: string): string | undefined {
  if (!/^\d+$/.test(text)) {
    if (name === 'Patch' && text === '') return 'Patch number is empty';
    return `Invalid character(s) found in ${name.toLowerCase()} number ${goQuote(text)}`;
  }
  return text.length > 1 && text.startsWith('0')
    ? `${name} number must not contain leading zeroes ${goQuote(text)}`
    : undefined;
}

function prereleaseComplaint(text: string | undefined): string | undefined {
  for (const part of text?.split('.') ?? []) {
    if (part === '') return 'Prerelease is empty';
    if (/^\d+$/.test(part) && part.length > 1 && part.startsWith('0')) {
      return `Numeric PreRelease version must not contain leading zeroes ${goQuote(part)}`;
    }
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in prerelease ${goQuote(part)}`;
  }
  return undefined;
}

function buildComplaint(text: string | undefined): string | undefined {
  for (const part of text?.split('.') ?? []) {
    if (part === '') return 'Build meta data is empty';
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in build meta data ${goQuote(part)}`;
  }
  return undefined;
}

/** Like `parseSemver`, but lenient: a leading `v`, leading zeros, no patch. Follows apiserver pkg/cel/library/semverlib.go. */
export function parseLenientSemver(text: string): Semver | string {
  const parts = splitThree(text.replace(/^v/, '')).map(withoutZeros);
  if (parts.length < 3 && /[-+]/.test(parts.at(-1) ?? '')) {
    return 'short version cannot contain PreRelease/Build meta data';
  }
  while (parts.length < 3) parts.push('0');
  return parseSemver(parts.join('.'));
}

function splitThree(text: string): string[] {
  const [first = '', second, ...rest] = text.split('.');
  const head = second === undefined ? [first] : [first, second];
  return rest.length === 0 ? head : [...head, rest.join('.')];
}

function withoutZeros(part: string): string {
  if (part.length <= 1) return part;
  const stripped = part.replace(/^0+/, '');
  return /^\d/.test(stripped) ? stripped : `0${stripped}`;
}

/** -1, 0 or 1. Build metadata does not count. */
export function compareSemver(a: Semver, b: Semver): number {
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
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

function compareIdentifiers(a: string, b: string): number {
  const numericA = /^\d+$/.test(a);
  const numericB = /^\d+$/.test(b);
  if (numericA !== numericB) return numericA ? -1 : 1;
  if (numericA) return Number(BigInt(a) > BigInt(b)) - Number(BigInt(a) < BigInt(b));
  return Number(a > b) - Number(a < b);
}
