import { base64Bytes, encodeBytes } from '../apimachinery/base64-bytes.ts';
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
  const [header = '', claims = '', signature, ...more] = token.split('.');
  if (more.length > 0 || signature === undefined) return undefined;
  const head = decodePart(header);
  const body = decodePart(claims);
  if (!head || !body || typeof head['alg'] !== 'string') return undefined;
  const keyId = typeof head['kid'] === 'string' ? head['kid'] : '';
  return { algorithm: head['alg'], keyId, claims: body, signed: `${header}.${claims}`, signature };
}

function decodePart(part: string): JsonObject | undefined {
  try {
    const bytes = base64Bytes(part.replaceAll('-', '+').replaceAll('_', '/'));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A header or claims set as base64url. */
export const encodeJwtPart = (value: JsonObject): string =>
  encodeBytes(new TextEncoder().encode(JSON.stringify(value)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
