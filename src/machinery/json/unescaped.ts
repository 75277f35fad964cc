/** The text as its percent escapes have it; what holds one that is none is taken as it stands. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
