/** The eight words of a SHA-256, for folders that import no module of Node. Follows FIPS 180-4. */
export function sha256(message: Uint8Array): readonly number[] {
  const hash = primes.slice(0, 8).map((prime) => fractionBits(prime ** (1 / 2)));
  const words = padMessage(message);
  for (let at = 0; at < words.length; at += 16) mixBlock(hash, words.slice(at, at + 16));
  return hash;
}

const primes: readonly number[] = [...primesBelow(312)];
const constants = primes.map((prime) => fractionBits(Math.cbrt(prime)));

function* primesBelow(limit: number): Iterable<number> {
  for (let candidate = 2; candidate < limit; candidate += 1) {
    let divisor = 2;
    while (divisor * divisor <= candidate && candidate % divisor !== 0) divisor += 1;
    if (divisor * divisor > candidate) yield candidate;
  }
}

/** The first 32 bits of the fraction. */
function fractionBits(value: number): number {
  return ((value - Math.floor(value)) * 0x1_0000_0000) | 0;
}

function padMessage(message: Uint8Array): readonly number[] {
  const words: number[] = Array.from({ length: (((message.length + 8) >> 6) + 1) * 16 }, () => 0);
  const put = (at: number, byte: number): void => {
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - (at & 3) * 8));
  };
  message.forEach((byte, at) => put(at, byte));
  put(message.length, 0x80);
  words[words.length - 1] = message.length * 8;
  return words;
}

const rotateRight = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

const wordAt = (words: readonly number[], at: number): number => words[at] ?? 0;

function schedule(block: readonly number[]): readonly number[] {
  const words = [...block];
  for (let at = 16; at < 64; at += 1) {
    const [first, last] = [wordAt(words, at - 15), wordAt(words, at - 2)];
    const small = rotateRight(first, 7) ^ rotateRight(first, 18) ^ (first >>> 3);
    const great = rotateRight(last, 17) ^ rotateRight(last, 19) ^ (last >>> 10);
    words.push((wordAt(words, at - 16) + small + wordAt(words, at - 7) + great) | 0);
  }
  return words;
}

function mixBlock(hash: number[], block: readonly number[]): void {
  let state: readonly number[] = hash;
  for (const [at, word] of schedule(block).entries()) state = mixWord(state, word + wordAt(constants, at));
  for (const [at, word] of state.entries()) hash[at] = (wordAt(hash, at) + word) | 0;
}

function mixWord(state: readonly number[], word: number): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  const first = h + (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) + ((e & f) ^ (~e & g)) + word;
  const second = (rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
  return [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
}
