import { mapFields } from '../../machinery/meta/map-fields.ts';
import { base64Bytes, encodeBytes } from '../../machinery/go/base64-bytes.ts';
import { readJson } from '../../machinery/json/json-reader.ts';
import { deepestNesting } from '../../machinery/json/json-walk.ts';
import { isJsonObject, isList, JsonNumber } from '../../machinery/json/json.ts';
import type { JsonDocument, JsonObject, JsonValue } from '../../machinery/json/json.ts';

/** Signs with the ServiceAccount key: signatures are made outside the core. */
export interface SignJwt {
  readonly algorithm: 'ES256' | 'ES384' | 'ES512' | 'RS256';
  readonly keyId: string;
  /** The signature of a text, base64url. */
  readonly sign: (text: string) => string | Promise<string>;
}

export type VerifyJwt = (jwt: Jwt) => boolean | Promise<boolean>;

/** A token taken apart. */
export interface Jwt {
  readonly algorithm: string;
  /** '' when it names no key. */
  readonly keyId: string;
  readonly claims: JsonObject;
  /** What the signature is of. */
  readonly signed: string;
  /** Base64url. */
  readonly signature: string;
}

export function decodeJwt(token: string): Jwt | undefined {
  const [header = '', claims = '', signature, more] = token.split('.', 4);
  if (more !== undefined || signature === undefined) return undefined;
  const head = decodePart(header);
  const body = decodePart(claims);
  if (!head || !body || typeof head['alg'] !== 'string') return undefined;
  const keyId = typeof head['kid'] === 'string' ? head['kid'] : '';
  return { algorithm: head['alg'], keyId, claims: body, signed: `${header}.${claims}`, signature };
}

/** A token that several look at: taken apart once, when the first of them asks. */
export interface TokenReading {
  readonly jwt: () => Jwt | undefined;
}

/** Work on a token of so many characters takes about a millisecond. */
const longToken = 32 * 1024;

export function readingOf(token: string): TokenReading {
  let jwt: Jwt | undefined | null = null;
  return { jwt: () => (jwt ??= decodeJwt(token)) };
}

function decodePart(part: string): JsonObject | undefined {
  const text = textOf(part);
  if (text === undefined) return undefined;
  const value = text.length > longToken ? longJson(text) : shortJson(text);
  return isJsonObject(value) ? value : undefined;
}

function textOf(part: string): string | undefined {
  try {
    return new TextDecoder().decode(base64Bytes(part.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

function shortJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function longJson(text: string): JsonValue | undefined {
  const reading = readJson(text);
  return reading.outcome === 'read' ? asDoubles(reading.json.value) : undefined;
}

/** As JSON.parse reads numbers. */
function asDoubles(document: JsonDocument): JsonValue {
  if (document instanceof JsonNumber) return Number(document.text);
  if (isList(document)) return document.map(asDoubles);
  if (typeof document !== 'object' || document === null) return document;
  return mapFields(Object.keys(document), (name) => asDoubles(document[name] ?? null));
}

/** Before it is read, as bodies are looked at: anybody may send a token, and 300,000 lists in one another take long to be thrown away. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '\\') at += 1;
    else if (letter === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    if (depth > deepestNesting) return true;
  }
  return false;
}

/** A header or claims set as base64url. */
export const encodeJwtPart = (value: JsonObject): string =>
  encodeBytes(new TextEncoder().encode(JSON.stringify(value)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
