/** Decodes base64. Throws what atob throws for an invalid text. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  // Uint8Array.from(letters, …) iterates: a second for a megabyte.
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

/** Bytes in base64, padded. */
export function encodeBytes(bytes: Uint8Array): string {
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters);
}
