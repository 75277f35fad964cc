const literal = String.raw`[A-Za-z0-9 _:,@=%&;~#!<>/"'-]|\\[.\-/*+?()[\]{}^$|\\]`;
const range = String.raw`(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[A-Za-z0-9 _:,@./-])`;
const atom = String.raw`(?:${literal}|\[\^?${range}+\])`;
const simple = new RegExp(`^\\^(?:${atom}[+*?]?)*\\$?$`);

/**
 * The pattern as a JavaScript one, if it means the same and takes linear time: anchored at the start, characters and
 * classes in a row, at most one of them repeated without bound. JavaScript runs these faster than RE2 does.
 */
export function quickRegex(pattern: string): RegExp | undefined {
  if (!simple.test(pattern)) return undefined;
  const repeats = pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x').match(/[+*?]/g) ?? [];
  if (repeats.length > 1) return undefined;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined; // A range such as [z-a]: RE2 has the words for that.
  }
}
