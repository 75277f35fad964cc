import { base64Bytes, encodeBytes } from '../apimachinery/base64-bytes.ts';
import { deepestNesting } from '../apimachinery/json-walk.ts';
import { isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';

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

function decodePart(part: string): JsonObject | undefined {
  try {
    const bytes = base64Bytes(part.replaceAll('-', '+').replaceAll('_', '/'));
    const text = new TextDecoder().decode(bytes);
    if (isTooDeep(text)) return undefined;
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
    .replace(/=+$/, '');
