/** Decodes percent escapes. A text with an invalid escape is returned unchanged. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
