import { decodeJwt as decodeClaims, decodeProtectedHeader } from 'jose';
import { asString } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { deepestNesting } from '../../machinery/json/json-walk.ts';

/** Signs with the ServiceAccount key: the whole token. */
export type SignJwt = (claims: JsonObject) => Promise<string>;

/** Is the signature that of a ServiceAccount key? */
export type VerifyJwt = (jwt: Jwt) => Promise<boolean>;

/** A token taken apart; nothing of it is verified. */
export interface Jwt {
  readonly token: string;
  readonly algorithm: string;
  /** '' when it names no key. */
  readonly keyId: string;
  readonly claims: JsonObject;
}

/** Undefined for a text that is no token, or is nested more deeply than the body of a request may be. */
export function decodeJwt(token: string): Jwt | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    const claims = decodeClaims<JsonObject>(token);
    if (typeof alg !== 'string' || isDeeperThan(deepestNesting, claims)) return undefined;
    return { token, algorithm: alg, keyId: asString(kid), claims };
  } catch {
    return undefined;
  }
}

const isDeeperThan = (levels: number, value: JsonValue | undefined): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));
