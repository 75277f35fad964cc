import { decodeJwt as decodeClaims, decodeProtectedHeader } from 'jose';
import { asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { deepestNesting } from '../../machinery/json/json-walk.ts';

/** Signs with the ServiceAccount key; returns the whole token. */
export type SignJwt = (claims: JsonObject) => Promise<string>;

/** Verifies the signature with the ServiceAccount keys. */
export type VerifyJwt = (jwt: Jwt) => Promise<boolean>;

/** Parsed, not verified. */
export interface Jwt {
  readonly token: string;
  /** '' without a `kid`. */
  readonly keyId: string;
  readonly claims: JsonObject;
}

/** undefined for an invalid token, or one nested deeper than a request body may be. */
export function decodeJwt(token: string): Jwt | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    const claims = decodeClaims<JsonObject>(token);
    if (typeof alg !== 'string' || isDeeperThan(deepestNesting, claims)) return undefined;
    return { token, keyId: asString(kid), claims };
  } catch {
    return undefined;
  }
}

const isDeeperThan = (levels: number, value: JsonValue | undefined): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));
