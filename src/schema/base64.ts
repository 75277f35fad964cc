import { decodeBase64 } from '../apimachinery/base64.ts';

export type Base64Text =
  /** The text as Go prints the bytes again: without line breaks, unused bits zero. */
  { readonly outcome: 'read'; readonly text: string } | { readonly outcome: 'unreadable'; readonly error: string };

/** Checks and normalises a base64 text, without decoding one that is already normal. */
export function readBase64(text: string): Base64Text {
  if (isNormal(text)) return { outcome: 'read', text };
  const reading = decodeBase64(text);
  if (reading.outcome === 'undecodable') return { outcome: 'unreadable', error: reading.error };
  return { outcome: 'read', text: encodeBytes(reading.bytes) };
}

/** Bytes in base64, padded. */
export function encodeBytes(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

const isNormal = (text: string): boolean =>
  text.length % 4 === 0 &&
  /^[A-Za-z0-9+/]*={0,2}$/.test(text) &&
  (!text.endsWith('=') || btoa(atob(text.slice(-4))) === text.slice(-4));
