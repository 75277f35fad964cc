/**
 * Compares two keys as Go's YAML encoder orders a map: letters by code point and behind everything else, runs of
 * digits as numbers. Follows go.yaml.in/yaml/v2 sorter.go.
 */
export function compareKeys(a: string, b: string): number {
  if (plain.test(a) && plain.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [Array.from(a), Array.from(b)];
  const at = left.findIndex((char, index) => char !== right[index]);
  const [mine, other] = [left[at], right[at]];
  if (at < 0 || mine === undefined || other === undefined) return left.length - right.length;
  const [isLetter, otherIsLetter] = [letter.test(mine), letter.test(other)];
  if (isLetter !== otherIsLetter) return isLetter ? 1 : -1;
  return (isLetter ? 0 : compareDigits(left, right, at)) || codePoint(mine) - codePoint(other);
}

const plain = /^[A-Za-z]+$/;
const letter = /^\p{L}/u;
const digit = /^\p{Nd}/u;

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
