export type Base64Reading =
  | { readonly outcome: 'decoded'; readonly bytes: Uint8Array }
  /** `illegal base64 data at input byte 3`. */
  | { readonly outcome: 'undecodable'; readonly error: string };

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const codes: ReadonlyMap<string, number> = new Map(alphabet.split('').map((letter, code) => [letter, code]));

/**
 * Decodes padded base64; line breaks are skipped, anything else out of place is named by its position.
 * Follows go src/encoding/base64/base64.go (StdEncoding).
 */
export function decodeBase64(text: string): Base64Reading {
  const bytes: number[] = [];
  let pending: number[] = [];
  for (let position = 0; position < text.length; position += 1) {
    const letter = text.charAt(position);
    const code = codes.get(letter);
    if (code !== undefined) {
      pending.push(code);
      if (pending.length === 4) {
        bytes.push(...quantum(pending));
        pending = [];
      }
    } else if (letter === '=') {
      const fault = paddingFault(text, position, pending.length);
      return fault === undefined ? decoded([...bytes, ...quantum(pending)]) : corrupt(fault);
    } else if (!isLineBreak(letter)) {
      return corrupt(position);
    }
  }
  // Upstream counts back the letters of the unfinished group, line breaks not included.
  return pending.length === 0 ? decoded(bytes) : corrupt(text.length - pending.length);
}

const decoded = (bytes: readonly number[]): Base64Reading => ({ outcome: 'decoded', bytes: Uint8Array.from(bytes) });

const corrupt = (position: number): Base64Reading => ({
  outcome: 'undecodable',
  error: `illegal base64 data at input byte ${position}`,
});

const isLineBreak = (letter: string): boolean => letter === '\n' || letter === '\r';

/** Where the padding that starts at `position` goes wrong, or undefined. */
function paddingFault(text: string, position: number, letters: number): number | undefined {
  if (letters < 2) return position;
  let next = skipLineBreaks(text, position + 1);
  if (letters === 2) {
    if (next === text.length) return text.length;
    if (text.charAt(next) !== '=') return next - 1;
    next = skipLineBreaks(text, next + 1);
  }
  return next < text.length ? next : undefined;
}

function skipLineBreaks(text: string, from: number): number {
  let position = from;
  while (position < text.length && isLineBreak(text.charAt(position))) position += 1;
  return position;
}

/** The bytes in two to four letters. */
function quantum(letters: readonly number[]): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0] = letters;
  const bytes = [(a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d];
  return bytes.slice(0, Math.max(letters.length - 1, 0));
}
