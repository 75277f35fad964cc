/**
 * Compares two keys as Go's YAML encoder orders a map: letters by code point and behind everything else, runs of
 * digits as numbers. Follows go.yaml.in/yaml/v2 sorter.go.
 */
export function compareKeys(a: string, b: string): number {
  if (plain.test(a) && plain.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  return ascii.test(a) && ascii.test(b) ? compareInAscii(a, b) : compareCharacters(a, b);
}

function compareCharacters(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const at = left.findIndex((char, index) => char !== right[index]);
  const [mine, other] = [left[at], right[at]];
  if (at < 0 || mine === undefined || other === undefined) return left.length - right.length;
  const [isLetter, otherIsLetter] = [letter.test(mine), letter.test(other)];
  if (isLetter !== otherIsLetter) return isLetter ? 1 : -1;
  return (isLetter ? 0 : compareDigits(left, right, at)) || codePoint(mine) - codePoint(other);
}

const plain = /^[A-Za-z]+$/;
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ascii = /^[\0-\x7f]*$/;
const letter = /^\p{L}/u;
const digit = /^\p{Nd}/u;

/** The same of keys that have no other characters: most have none, and a map may have tens of thousands. */
function compareInAscii(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === a.length || at === b.length) return a.length - b.length;
  const [mine, other] = [a.charCodeAt(at), b.charCodeAt(at)];
  const isLetter = isAsciiLetter(mine);
  if (isLetter !== isAsciiLetter(other)) return isLetter ? 1 : -1;
  return (isLetter ? 0 : compareAsciiDigits(a, b, at)) || mine - other;
}

const zero = 0x30;

const isAsciiLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
const isAsciiDigit = (code: number): boolean => code >= zero && code <= 0x39;

function compareAsciiDigits(a: string, b: string, at: number): number {
  const isZero = a.charCodeAt(at) === zero || b.charCodeAt(at) === zero;
  const [mine, other] = [endOfDigits(a, at), endOfDigits(b, at)];
  return (isZero && isBehindDigit(a, at) ? 0 : compareNumbers(a.slice(at, mine), b.slice(at, other))) || mine - other;
}

function endOfDigits(text: string, at: number): number {
  let end = at;
  while (isAsciiDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Does the run of digits before it have one that is no zero? */
function isBehindDigit(text: string, at: number): boolean {
  for (let before = at - 1; isAsciiDigit(text.charCodeAt(before)); before -= 1)
    if (text.charCodeAt(before) !== zero) return true;
  return false;
}

function compareNumbers(a: string, b: string): number {
  const [mine, other] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  if (mine.length !== other.length) return mine.length - other.length;
  return mine < other ? -1 : Number(mine > other);
}
/** The numbers that begin at `at`; a zero behind another digit counts as part of that number. */
function compareDigits(left: readonly string[], right: readonly string[], at: number): number {
  const isInside = (left[at] === '0' || right[at] === '0') && /[1-9]\d*$/.test(left.slice(0, at).join(''));
  const [mine, other] = [digitsFrom(left, at), digitsFrom(right, at)];
  const lead = isInside ? '1' : '0';
  const [number, otherNumber] = [BigInt(lead + mine), BigInt(lead + other)];
  if (number !== otherNumber) return number < otherNumber ? -1 : 1;
  return mine.length - other.length;
}

function digitsFrom(chars: readonly string[], at: number): string {
  let end = at;
  while (digit.test(chars[end] ?? '')) end += 1;
  return chars.slice(at, end).join('').replaceAll(/\D/gu, '0');
}

const codePoint = (char: string): number => char.codePointAt(0) ?? 0;
