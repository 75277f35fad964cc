/** `indexOf` compares up to the length of the part at each place: it is linear for parts of at most this length. */
const maxPartLength = 64;

/** The first place of the part at `from` or after it, -1 for none; in linear time. `part` is not empty. */
export const firstIndexOf = (text: string, part: string, from: number): number =>
  part.length <= maxPartLength
    ? text.indexOf(part, from)
    : knuthMorrisPratt(forwards(text, part), from, prefixesOf(part));

/** The last place of the part at `from` or before it, -1 for none; in linear time. */
export function lastIndexBefore(text: string, part: string, from: number): number {
  const begin = Math.min(from, text.length - part.length);
  if (begin < 0) return -1;
  if (part.length <= maxPartLength) return text.lastIndexOf(part, begin);
  const units = backwards(text, part);
  const offset = knuthMorrisPratt(units, text.length - part.length - begin, prefixLengths(units));
  return offset < 0 ? -1 : text.length - part.length - offset;
}

/** The text cut at its first `max` occurrences of the separator, in linear time; with '' between all characters. */
export function splitText(text: string, separator: string, max: number): string[] {
  const pieces: string[] = [];
  const prefixes = separator.length > maxPartLength ? prefixesOf(separator) : undefined;
  const units = forwards(text, separator);
  let at = 0;
  while (pieces.length < max) {
    const offset =
      separator === ''
        ? characterAfter(text, at)
        : prefixes
          ? knuthMorrisPratt(units, at, prefixes)
          : text.indexOf(separator, at);
    if (offset < 0) break;
    pieces.push(text.slice(at, offset));
    at = offset + separator.length;
  }
  return [...pieces, text.slice(at)];
}

/** Where the next character begins; -1 after the last one. */
function characterAfter(text: string, at: number): number {
  const next = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  return next < text.length ? next : -1;
}

/** Two texts by their UTF-16 units, in one direction or the other. */
interface Units {
  readonly length: number;
  readonly partLength: number;
  readonly unit: (at: number) => number;
  readonly partUnit: (at: number) => number;
}

const forwards = (text: string, part: string): Units => ({
  length: text.length,
  partLength: part.length,
  unit: (at) => text.charCodeAt(at),
  partUnit: (at) => part.charCodeAt(at),
});

const backwards = (text: string, part: string): Units => ({
  length: text.length,
  partLength: part.length,
  unit: (at) => text.charCodeAt(text.length - 1 - at),
  partUnit: (at) => part.charCodeAt(part.length - 1 - at),
});

const prefixesOf = (part: string): Int32Array => prefixLengths(forwards('', part));

/** For each place of the part, how long the longest prefix is that ends there. */
function prefixLengths({ partLength, partUnit }: Units): Int32Array {
  const lengths = new Int32Array(partLength);
  let length = 0;
  for (let at = 1; at < partLength; at += 1) {
    while (length > 0 && partUnit(at) !== partUnit(length)) length = lengths[length - 1] ?? 0;
    if (partUnit(at) === partUnit(length)) length += 1;
    lengths[at] = length;
  }
  return lengths;
}

function knuthMorrisPratt({ length, partLength, unit, partUnit }: Units, from: number, prefixes: Int32Array): number {
  let matched = 0;
  for (let at = from; at < length; at += 1) {
    while (matched > 0 && unit(at) !== partUnit(matched)) matched = prefixes[matched - 1] ?? 0;
    if (unit(at) === partUnit(matched)) matched += 1;
    if (matched === partLength) return at + 1 - partLength;
  }
  return -1;
}
