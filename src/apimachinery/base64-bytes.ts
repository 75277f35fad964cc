/** The bytes that a base64 text stands for. Throws what atob throws for a text that is none. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  // Uint8Array.from(letters, …) asks an iterator for each: a second for a megabyte.
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

const letters = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const padding = '='.charCodeAt(0);

/** Bytes in base64, padded. `btoa` wants a text, and looks at each letter of it: 100 ms for three megabytes. */
export function encodeBytes(bytes: Uint8Array): string {
  const coded = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(padding);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    coded[to] = letters[three >> 18] ?? 0;
    coded[to + 1] = letters[(three >> 12) & 63] ?? 0;
    if (left > 1) coded[to + 2] = letters[(three >> 6) & 63] ?? 0;
    if (left > 2) coded[to + 3] = letters[three & 63] ?? 0;
    to += 4;
  }
  return new TextDecoder().decode(coded);
}
