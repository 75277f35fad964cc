import { isIpAddress } from '../../validation/core/ip-address.ts';

// Follows go src/net/mail/message.go ParseAddress. Functions parse one part from a position and return its end, or
// undefined.

type Position = number | undefined;

/** `a@b`, `A <a@b>`, `a@b (A)`, or a group of one, `g: a@b;`, as Go's net/mail parses them. */
export function isEmail(text: string): boolean {
  const found = parseAddress(text, 0, false);
  return found !== undefined && found.count === 1 && skipComments(text, found.end) === text.length;
}

interface Addresses {
  readonly end: number;
  readonly count: number;
}

function parseAddress(text: string, from: number, isInGroup: boolean): Addresses | undefined {
  const start = skipSpace(text, from);
  const plain = parseAddrSpec(text, start);
  if (plain !== undefined) {
    const behind = skipSpace(text, plain);
    return singleAddress(text[behind] === '(' ? parseDisplayNameComment(text, behind) : behind);
  }
  const named = text[start] === '<' ? start : parsePhrase(text, start);
  if (named === undefined) return undefined;
  const at = skipSpace(text, named);
  if (text[at] === ':' && !isInGroup) return parseGroup(text, at + 1);
  if (text[at] !== '<') return undefined;
  const end = parseAddrSpec(text, at + 1);
  return end !== undefined && text[end] === '>' ? singleAddress(end + 1) : undefined;
}

const singleAddress = (end: Position): Addresses | undefined => (end === undefined ? undefined : { end, count: 1 });

/** Groups do not nest. */
function parseGroup(text: string, from: number): Addresses | undefined {
  let at = skipSpace(text, from);
  if (text[at] === ';') return parseGroupEnd(text, at, 0);
  for (let count = 1; ; count += 1) {
    const address = parseAddress(text, at, true);
    const behind = address && skipComments(text, address.end);
    if (behind === undefined) return undefined;
    if (text[behind] === ';') return parseGroupEnd(text, behind, count);
    if (text[behind] !== ',') return undefined;
    at = behind + 1;
  }
}

function parseGroupEnd(text: string, semicolon: number, count: number): Addresses | undefined {
  const end = skipComments(text, semicolon + 1);
  return end === undefined ? undefined : { end, count };
}

/** `local@domain`. */
function parseAddrSpec(text: string, from: number): Position {
  const start = skipSpace(text, from);
  const local = text[start] === '"' ? parseQuotedString(text, start) : parseDotAtom(text, start);
  const isEmptyQuote = text[start] === '"' && local === start + 2;
  if (local === undefined || isEmptyQuote || text[local] !== '@') return undefined;
  const domain = skipSpace(text, local + 1);
  return text[domain] === '[' ? parseDomainLiteral(text, domain) : parseDotAtom(text, domain);
}

/** The words of a display name. */
function parsePhrase(text: string, from: number): Position {
  let end: Position;
  for (let at = from; ;) {
    const start = skipSpace(text, at);
    const word = text[start] === '"' ? parseQuotedString(text, start) : parseAtom(text, start);
    if (word === undefined) return end === undefined ? undefined : start;
    if (text[start] !== '"' && hasUnknownCharset(text.slice(start, word))) return end === undefined ? undefined : word;
    end = word;
    const next = skipComments(text, word);
    if (next === undefined) return undefined;
    at = next;
  }
}

function parseQuotedString(text: string, quote: number): Position {
  for (let at = quote + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at += 1;
    if (at >= text.length || !(isVisible(text, at) || isSpace(text, at))) return undefined;
  }
  return undefined;
}

function parseAtom(text: string, from: number): Position {
  let at = from;
  while (at < text.length && isVisible(text, at) && !'()<>[]:;@\\,"'.includes(text.charAt(at))) at += 1;
  return at === from ? undefined : at;
}

function parseDotAtom(text: string, from: number): Position {
  const end = parseAtom(text, from);
  if (end === undefined) return undefined;
  const atom = text.slice(from, end);
  return atom.startsWith('.') || atom.endsWith('.') || atom.includes('..') ? undefined : end;
}

/** `[127.0.0.1]`. */
function parseDomainLiteral(text: string, bracket: number): Position {
  const end = text.indexOf(']', bracket);
  return end >= 0 && isStrictIp(text.slice(bracket + 1, end)) ? end + 1 : undefined;
}

/** Comments nest. */
function parseComment(text: string, parenthesis: number): Position {
  let depth = 0;
  for (let at = parenthesis; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** A comment after an address is its display name. */
function parseDisplayNameComment(text: string, parenthesis: number): Position {
  const end = parseComment(text, parenthesis);
  if (end === undefined) return undefined;
  const words = text
    .slice(parenthesis + 1, end - 1)
    .replaceAll(/\\([^])/g, '$1')
    .split(/[ \t]/);
  return words.some(hasUnknownCharset) ? undefined : end;
}

/** undefined for an unterminated comment. */
function skipComments(text: string, from: number): Position {
  let at = skipSpace(text, from);
  while (text[at] === '(') {
    const end = parseComment(text, at);
    if (end === undefined) return undefined;
    at = skipSpace(text, end);
  }
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text, at)) at += 1;
  return at;
}

const isSpace = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

/** Printable ASCII and all non-ASCII. */
function isVisible(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit > 0x20 && unit !== 0x7f;
}

const charsets = ['utf-8', 'iso-8859-1', 'us-ascii'];

/** A valid encoded word with an unknown charset, such as `=?koi8-r?q?=C1?=`. Follows go src/mime/encodedword.go. */
function hasUnknownCharset(word: string): boolean {
  const [start, charset = '', encoding = '', content = '', end, ...others] = word.split('?');
  if (start !== '=' || end !== '=' || others.length > 0) return false;
  if (charset === '' || charsets.includes(charset.toLowerCase())) return false;
  if (/^b$/i.test(encoding)) return isBase64(content.replaceAll(/[\r\n]/g, ''));
  return /^q$/i.test(encoding) && /^(?:[ -<>-~\t\r\n]|=[\da-fA-F]{2})*$/.test(content);
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

/** As Go parses it: no leading zeros in the IPv4 part (which ipv4 and cidr accept), no group of five digits. */
export function isStrictIpv6(text: string): boolean {
  return text.includes(':') && isIpAddress(text) && !/[:.]0\d+\.|\.0\d|[\da-fA-F]{5}/.test(text);
}

/** Follows go src/net/ip.go ParseIP. */
export const isStrictIp = (text: string): boolean =>
  text.includes(':') ? isStrictIpv6(text) : isIpAddress(text) && !/(?:^|\.)0\d/.test(text);
