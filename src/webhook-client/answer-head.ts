import { goQuote } from '../apimachinery/field-error.ts';

/** What stands before the body of an HTTP/1 answer. */
export interface AnswerHead {
  readonly code: number;
  readonly fields: Fields;
  /** Where the body ends: after so many bytes, with its last chunk, or with the connection. */
  readonly length: number | 'chunked' | 'connection';
  /** Nothing follows it on this connection. */
  readonly closes: boolean;
}

/** Values by lower-case name. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/**
 * The head in its lines, without the empty one at the end; or what is wrong with it, in Go's words.
 * Follows Go's net/http response.go ReadResponse and transfer.go readTransfer.
 */
export function readHead([first = '', ...rest]: readonly string[]): AnswerHead | string {
  const status = readStatusLine(first);
  if (typeof status === 'string') return status;
  const fields = readFields(rest);
  if (typeof fields === 'string') return fields;
  const { code, minor, major } = status;
  const isOld = major < 1 || (major === 1 && minor === 0);
  const length = lengthOf(code, fields, isOld);
  if (typeof length === 'object') return length.error;
  const connection = (fields.get('connection') ?? []).flatMap((value) => value.toLowerCase().split(','));
  const says = (token: string): boolean => connection.some((value) => value.trim() === token);
  const closes = says('close') || (isOld && !(major === 1 && says('keep-alive')));
  return { code, fields, length, closes: closes || length === 'connection' };
}

interface StatusLine {
  readonly code: number;
  readonly major: number;
  readonly minor: number;
}

export function readStatusLine(line: string): StatusLine | string {
  const space = line.indexOf(' ');
  if (space < 0) return `malformed HTTP response ${goQuote(line)}`;
  const proto = line.slice(0, space);
  const [status = ''] = line.slice(space).replace(/^ +/, '').split(' ', 1);
  if (!/^(?:\d{3}|\+\d\d)$/.test(status)) return `malformed HTTP status code ${goQuote(status)}`;
  const [, major, minor] = /^HTTP\/(\d)\.(\d)$/.exec(proto) ?? [];
  if (major === undefined) return `malformed HTTP version ${goQuote(proto)}`;
  return { code: Number(status), major: Number(major), minor: Number(minor) };
}

/** Follows Go's net/textproto reader.go ReadMIMEHeader. */
export function readFields(lines: readonly string[]): Fields | string {
  const [first = ''] = lines;
  if (isContinuation(first)) return `malformed MIME header initial line: ${goQuote(first.slice(0, 80))}`;
  const fields = new Map<string, string[]>();
  for (let at = 0; at < lines.length; at += 1) {
    let line = lines[at] ?? '';
    if (!line.includes(':')) return `malformed MIME header: missing colon: ${goQuote(line)}`;
    line = trimmed(line);
    for (; isContinuation(lines[at + 1] ?? ''); at += 1) line += ` ${trimmed(lines[at + 1] ?? '')}`;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    if (!fieldName.test(name) || control.test(line)) return `malformed MIME header line: ${goQuote(line)}`;
    const key = name.toLowerCase();
    const value = trimmed(line.slice(colon + 1));
    const before = fields.get(key);
    if (before) before.push(value);
    else fields.set(key, [value]);
  }
  return fields;
}

const isContinuation = (line: string): boolean => line.startsWith(' ') || line.startsWith('\t');

/** Go lets a name with a space in it pass, and then knows it by that name only. */
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/;

// oxlint-disable-next-line no-control-regex -- Go refuses them
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;

const trimmed = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '');

interface Wrong {
  readonly error: string;
}

function lengthOf(code: number, fields: Fields, isOld: boolean): AnswerHead['length'] | Wrong {
  const encodings = isOld ? [] : (fields.get('transfer-encoding') ?? []);
  const unsupported = unsupportedEncoding(encodings);
  if (unsupported !== '') return { error: unsupported };
  const said = readLength(fields.get('content-length') ?? []);
  if (typeof said === 'object') return said;
  if (code < 200 || code === 204 || code === 304) return 0;
  return encodings.length > 0 ? 'chunked' : (said ?? 'connection');
}

function unsupportedEncoding(encodings: readonly string[]): string {
  const [encoding = 'chunked'] = encodings;
  if (encodings.length > 1) return `too many transfer encodings: [${encodings.map(goQuote).join(' ')}]`;
  return encoding.toLowerCase() === 'chunked' ? '' : `unsupported transfer encoding: ${goQuote(encoding)}`;
}

function readLength(lengths: readonly string[]): number | undefined | Wrong {
  const [first] = lengths;
  if (first === undefined) return undefined;
  if (lengths.some((length) => length !== first)) {
    const got = lengths.map(goQuote).join(' ');
    return { error: `http: message cannot contain multiple Content-Length headers; got [${got}]` };
  }
  if (first === '') return { error: 'invalid empty Content-Length ""' };
  if (!/^\d+$/.test(first) || BigInt(first) >= 2n ** 63n) return { error: `bad Content-Length ${goQuote(first)}` };
  return Number(first);
}
