import { goQuote } from '../meta/field-error.ts';

/** The length of the sequence that begins with this byte; 0 for an invalid first byte. */
function sequenceWidth(lead: number): number {
  if (lead < 0x80) return 1;
  if ((lead & 0xe0) === 0xc0) return 2;
  if ((lead & 0xf0) === 0xe0) return 3;
  return (lead & 0xf8) === 0xf0 ? 4 : 0;
}

/** The least character of two, three and four bytes. */
const minCharacterOfWidth: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];

/** The error of the sequence at this offset; '' for a valid one. Follows goyaml.v2 readerc.go yaml_parser_update_buffer. */
function sequenceError(bytes: Uint8Array, at: number): string {
  const lead = bytes[at] ?? 0;
  const width = sequenceWidth(lead);
  if (width === 0) return 'invalid leading UTF-8 octet';
  if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
  let character = width === 1 ? lead : lead & (0x7f >> width);
  for (const byte of bytes.subarray(at + 1, at + width)) {
    if ((byte & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
    character = (character << 6) | (byte & 0x3f);
  }
  if (character < (minCharacterOfWidth[width] ?? 0)) return 'invalid length of a UTF-8 sequence';
  const isSurrogate = character >= 0xd800 && character <= 0xdfff;
  return isSurrogate || character > 0x10ffff ? 'invalid Unicode character' : '';
}

/** Bytes as Go's %q prints a string of them: those that are no UTF-8 as `\xff`. */
export function goQuoteBytes(bytes: Uint8Array): string {
  let quoted = '';
  for (let at = 0; at < bytes.length;) {
    const width = sequenceError(bytes, at) === '' ? sequenceWidth(bytes[at] ?? 0) : 0;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, at + width));
    quoted += width === 0 ? `\\x${(bytes[at] ?? 0).toString(16)}` : goQuote(text).slice(1, -1);
    at += Math.max(1, width);
  }
  return `"${quoted}"`;
}

/** The encoding that the byte order mark names, else UTF-8. Follows goyaml.v2 readerc.go yaml_parser_determine_encoding. */
export function decodeYamlBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Go's YAML error for bytes that are not UTF-8; '' for valid UTF-8 and for UTF-16. */
export function utf8Error(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return '';
  for (let at = 0; at < bytes.length; at += sequenceWidth(bytes[at] ?? 0)) {
    const fault = sequenceError(bytes, at);
    // The reader ends at a control character with another error.
    if (fault !== '' || isControl(bytes[at] ?? 0)) return fault;
  }
  return '';
}

const isControl = (byte: number): boolean => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d;
