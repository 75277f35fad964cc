/** The bytes that a base64 text stands for. Throws what atob throws for a text that is none. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  // Uint8Array.from(letters, …) asks an iterator for each: a second for a megabyte.
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

/** As many arguments as a call surely takes. */
const chunk = 8192;

/** Bytes in base64, padded. */
export function encodeBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += chunk) parts.push(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  return btoa(parts.join(''));
}
