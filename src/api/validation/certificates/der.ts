/** One value of ASN.1 in DER: its tag and what is in it. */
export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Both, and how long it is. */
  readonly whole: Uint8Array;
}

/** The DER elements that stand one behind the other; undefined where a length leads outside. */
export function elementsOf(bytes: Uint8Array): readonly Element[] | undefined {
  const elements: Element[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0x80;
    const lengthBytes = first < 0x80 ? [first] : [...bytes.subarray(at + 2, at + 2 + (first & 0x7f))];
    const start = at + 2 + (first < 0x80 ? 0 : lengthBytes.length);
    const stop = start + lengthBytes.reduce((sum, byte) => sum * 256 + byte, 0);
    if (first === 0x80 || lengthBytes.length > 4 || stop > bytes.length) return undefined;
    elements.push({ tag, content: bytes.subarray(start, stop), whole: bytes.subarray(at, stop) });
    at = stop;
  }
  return elements;
}
