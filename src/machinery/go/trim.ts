// A regular expression such as /=+$/ looks at every run of the text from each of its characters on; these look at the ends alone.

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
