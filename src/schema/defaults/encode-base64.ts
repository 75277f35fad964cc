/** The UTF-8 bytes of a text in base64, as Go prints a []byte. */
export function encodeBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}
