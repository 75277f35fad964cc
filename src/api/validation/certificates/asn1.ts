/** An ASN.1 DER element. */
export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content. */
  readonly whole: Uint8Array;
}

export const derTags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  /** [0], for example the version of a certificate. */
  version: 0xa0,
} as const;

/** undefined when a length exceeds the input. */
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

export const partsOf = (element: Element | undefined): readonly Element[] =>
  (element && elementsOf(element.content)) ?? [];

/** The parts of a sequence; none of another element. */
export const sequenceParts = (element: Element | undefined): readonly Element[] =>
  element?.tag === derTags.sequence ? partsOf(element) : [];

/** One character per byte; undefined for text that is no base64. */
export function base64Text(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}
