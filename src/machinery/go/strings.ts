// A regular expression such as /=+$/ takes quadratic time for a run inside the text; these functions read only the
// ends.

/** Without any of the characters at the end. Follows go src/strings/strings.go TrimRight. */
export function trimRight(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Without any of the characters at the start. Follows go src/strings/strings.go TrimLeft. */
export function trimLeft(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** Follows go src/strings/strings.go Trim. */
export const trim = (text: string, characters: string): string => trimLeft(trimRight(text, characters), characters);

/** Without the blanks around it, as Go's strings.TrimSpace: U+0085 is one of them and U+FEFF is none, unlike `trim`. */
export function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charAt(from))) from += 1;
  while (from < to && isBlank(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const isBlank = (character: string): boolean =>
  character === '\u0085' || (character !== '\uFEFF' && character.trim() === '');

/** Compares two texts by UTF-16 units, as `sort` does by default. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Entries of an object or a map in the order of their keys. */
export const byKey = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  compareTexts(a, b);

/** Go's escapes by the letter behind the backslash, without quotes and the backslash itself. */
export const goEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

export const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
