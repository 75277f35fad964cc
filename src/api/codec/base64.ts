export type Base64Reading =
  /** The text as Go prints the bytes again: without line breaks, unused bits zero. */
  | { readonly outcome: 'read'; readonly text: string }
  /** Where Go says the input is corrupt. */
  | { readonly outcome: 'corrupt'; readonly offset: number };

/** Checks and normalises a base64 text. Follows go src/encoding/base64/base64.go. */
export function readBase64(text: string): Base64Reading {
  const offset = corruptAt(text);
  if (offset !== undefined) return { outcome: 'corrupt', offset };
  const compact = text.replaceAll(/[\r\n]/g, '');
  if (!compact.endsWith('=')) return { outcome: 'read', text: compact };
  return { outcome: 'read', text: compact.slice(0, -4) + btoa(atob(compact.slice(-4))) };
}

/** A text is looked through by regular expressions: character by character it takes fifty times as long. */
function corruptAt(text: string): number | undefined {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const stranger = text.search(/[^A-Za-z0-9+/\r\n]/);
  const end = stranger < 0 ? text.length : stranger;
  const inQuantum = (end - breaksBefore(text, end)) % 4;
  if (stranger < 0) return inQuantum === 0 ? undefined : text.length - inQuantum;
  if (text[stranger] !== '=' || inQuantum < 2) return stranger;
  return paddingFault(text, stranger, inQuantum);
}

function breaksBefore(text: string, end: number): number {
  let breaks = 0;
  const first = text.search(/[\r\n]/);
  if (first >= 0) for (let at = first; at < end; at += 1) if (isBreak(text.charAt(at))) breaks += 1;
  return breaks;
}

/** The padding begins at `at`: one or two signs, then nothing but line breaks. */
function paddingFault(text: string, at: number, inQuantum: number): number | undefined {
  let next = skipBreaks(text, at + 1);
  if (inQuantum === 2) {
    if (next === text.length) return text.length;
    if (text[next] !== '=') return next - 1;
    next = skipBreaks(text, next + 1);
  }
  return next < text.length ? next : undefined;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBreak(text.charAt(at))) at += 1;
  return at;
}

const isBreak = (char: string): boolean => char === '\n' || char === '\r';
