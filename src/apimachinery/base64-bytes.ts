import { isInTurns } from './in-turns.ts';
import { stretch, stretchesInTurns } from './stretches-in-turns.ts';

/** The bytes that a base64 text stands for. Throws what atob throws for a text that is none. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> {
  const whole = text.length > stretch && isInTurns() && text.length % 4 === 0 ? inStretches(text) : undefined;
  if (whole) return whole;
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  putBytes(bytes, 0, letters);
  return bytes;
}

interface Whole {
  readonly bytes: Uint8Array<ArrayBuffer>;
  isBase64: boolean;
}

/** Others are let in meanwhile. Undefined where a stretch of the text does not stand for three quarters of its length. */
function inStretches(text: string): Uint8Array<ArrayBuffer> | undefined {
  const missing = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const start = (): Whole => ({ bytes: new Uint8Array((text.length / 4) * 3 - missing), isBase64: true });
  const { bytes, isBase64 } = stretchesInTurns(text.length, start, (so, from, to) => {
    const part = lettersOf(text.slice(from, to));
    so.isBase64 = part?.length === ((to - from) / 4) * 3 - (to === text.length ? missing : 0);
    if (so.isBase64) putBytes(so.bytes, (from / 4) * 3, part ?? '');
    return so.isBase64;
  });
  return isBase64 ? bytes : undefined;
}

function lettersOf(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}

/** Uint8Array.from(letters, …) asks an iterator for each: a second for a megabyte. */
function putBytes(bytes: Uint8Array, from: number, letters: string): void {
  for (let at = 0; at < letters.length; at += 1) bytes[from + at] = letters.charCodeAt(at);
}

const letters = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const padding = '='.charCodeAt(0);

/** Bytes in base64, padded. `btoa` wants a text, and looks at each letter of it: 100 ms for three megabytes. */
export function encodeBytes(bytes: Uint8Array): string {
  const coded = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(padding);
  const whole = bytes.length - (bytes.length % 3);
  const put = (at: number, count: number): void => {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let index = 0; index < count; index += 1) {
      coded[(at / 3) * 4 + index] = letters[(three >> (18 - 6 * index)) & 63] ?? 0;
    }
  };
  for (let at = 0; at < whole; at += 3) put(at, 4);
  if (whole < bytes.length) put(whole, 1 + bytes.length - whole);
  return new TextDecoder().decode(coded);
}
