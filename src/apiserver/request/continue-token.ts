import { base64Bytes, encodeBytes } from '../../machinery/go/base64-bytes.ts';
import { goNumber, readJson } from '../../machinery/json/json-reader.ts';
import {
  asString,
  isJsonObject,
  isList,
  type JsonDocument,
  JsonNumber,
  type JsonObject,
} from '../../machinery/json/json.ts';

export type ContinueToken =
  | { readonly outcome: 'read'; readonly after: string; readonly revision: number }
  | { readonly outcome: 'invalid'; readonly error: string };

/** Continues after the object at `path`. Follows apiserver pkg/storage/continue.go. */
export function continueAfter(path: string, revision: number): string {
  const json = JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${path}\u0000` });
  return encodeBytes(new TextEncoder().encode(json)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function readContinue(token: string): ContinueToken {
  if (!/^[A-Za-z0-9_-]*$/.test(token) || token.length % 4 === 1) {
    return invalid(`illegal base64 data at input byte ${findIllegalByte(token)}`);
  }
  const base64 = token.replaceAll('-', '+').replaceAll('_', '/');
  const reading = readJson(new TextDecoder().decode(base64Bytes(base64)));
  if (reading.outcome === 'unreadable') return invalid(jsonError(atob(base64)));
  const { value } = reading.json;
  const mistyped = findMistyped(value);
  if (mistyped !== undefined) return invalid(`json: ${mistyped}`);
  const fields = isJsonObject(value) ? value : {};
  const { v, start } = fields;
  const revision = readRevision(fields);
  if (v !== 'meta.k8s.io/v1') return invalid(`server does not recognize this encoded version ${asString(v)}`);
  if (revision === 0) return invalid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  const after = asString(start);
  if (after === '') return invalid('encoded start key empty (version meta.k8s.io/v1)');
  if (!isClean(after)) return invalid(after);
  return { outcome: 'read', after: after.endsWith('\u0000') ? after.slice(0, -1) : after, revision };
}

const invalid = (reason: string): ContinueToken => ({
  outcome: 'invalid',
  error: `continue key is not valid: ${reason}`,
});

/** Follows Go's path.Clean, behind a slash. */
const isClean = (key: string): boolean =>
  key === '/' || (key.startsWith('/') ? key.slice(1) : key).split('/').every((part) => !['', '.', '..'].includes(part));

function typeOf(value: JsonDocument): string {
  if (isList(value)) return 'array';
  if (value instanceof JsonNumber || typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

const goTypes = { v: 'string', rv: 'int64', start: 'string' } as const;

/** Go's error for the first field of a wrong type. */
function findMistyped(value: JsonDocument): string | undefined {
  if (value === null) return undefined;
  if (!isJsonObject(value)) return `cannot unmarshal ${typeOf(value)} into Go value of type storage.continueToken`;
  for (const [field, found] of Object.entries(value)) {
    const type = field === 'v' || field === 'rv' || field === 'start' ? goTypes[field] : undefined;
    if (type === undefined || found === null || found === undefined) continue;
    const name = typeOf(found);
    if (name === (type === 'int64' ? 'number' : 'string')) continue;
    return `cannot unmarshal ${name} into Go struct field continueToken.${field} of type ${type}`;
  }
  return undefined;
}

/** 64 bits; 0 for none. */
function readRevision({ rv }: JsonObject): number {
  const number: unknown = rv;
  if (number instanceof JsonNumber) return Number(goNumber(number.text));
  return typeof number === 'number' ? number : 0;
}

/** The byte at which Go's base64 reader fails. */
function findIllegalByte(token: string): number {
  const bad = token.search(/[^A-Za-z0-9_-]/);
  return bad >= 0 ? bad : token.length - 1;
}

/** Go names the first invalid byte, as the character of that number. */
function jsonError(bytes: string): string {
  const reading = readJson(bytes);
  if (reading.outcome === 'read') return '';
  const byte = bytes.charCodeAt(reading.offset);
  if (!(byte >= 0x80)) return reading.error;
  const shown = byte < 0xa1 || byte === 0xad ? `\\u${byte.toString(16).padStart(4, '0')}` : String.fromCodePoint(byte);
  return reading.error.replace(/^invalid character '[^']*'/, () => `invalid character '${shown}'`);
}
