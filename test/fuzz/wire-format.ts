/** A field of a protobuf message in its encoded form. */
export interface WireField {
  readonly number: number;
  readonly wire: number;
  /** Without the length in front of them. */
  readonly bytes: Uint8Array;
}

/** The fields of a message; undefined for invalid bytes. */
export function readMessage(bytes: Uint8Array): readonly WireField[] | undefined {
  const fields: WireField[] = [];
  for (let at = 0; at < bytes.length;) {
    const key = readVarint(bytes, at);
    const number = Math.floor((key?.value ?? 0) / 8);
    const wire = (key?.value ?? 0) % 8;
    if (key === undefined || number === 0) return undefined;
    const span = spanOf(bytes, key.next, wire);
    if (span === undefined || span.end > bytes.length) return undefined;
    fields.push({ number, wire, bytes: bytes.subarray(span.start, span.end) });
    at = span.end;
  }
  return fields;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spanOf(bytes: Uint8Array, start: number, wire: number): Span | undefined {
  if (wire === 1) return { start, end: start + 8 };
  if (wire === 5) return { start, end: start + 4 };
  const varint = readVarint(bytes, start);
  if (varint === undefined || (wire !== 0 && wire !== 2)) return undefined;
  return wire === 0 ? { start, end: varint.next } : { start: varint.next, end: varint.next + varint.value };
}

function readVarint(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let at = start; at < bytes.length && at < start + 10; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return { value, next: at + 1 };
  }
  return undefined;
}

/** Encodes these fields, valid or not. */
export function writeMessage(fields: readonly WireField[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { number, wire, bytes } of fields) {
    parts.push(varint(number * 8 + wire));
    if (wire === 2) parts.push(varint(bytes.length));
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  return Uint8Array.from([...bytes, left]);
}
