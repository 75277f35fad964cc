import { createPublicKey, constants, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { asList, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { Jwt } from '../../../apiserver/auth/jwt.ts';
import type { Attempt } from '../../../adapters/config/attempt.ts';
import type { IssuerClient } from './fetch-json.ts';

interface Key {
  readonly id: string;
  readonly key: KeyObject;
}

/** The keys of an issuer: undefined when the signature of a token is right, else what is wrong. */
export interface KeySet {
  readonly fault: (jwt: Jwt) => Promise<string | undefined>;
}

/** Keys that are this close to their end are fetched anew. */
const renewedBefore = 30_000;
const wrongSignature = 'failed to verify id token signature';

/**
 * The keys at a URL, kept as long as their answer says; a signature that none of them made has them fetched anew.
 * Follows go-oidc jwks.go.
 */
export function createKeySet(url: string, client: IssuerClient, now: () => number): KeySet {
  let kept: readonly Key[] = [];
  let expiry = 0;
  let underWay: Promise<Attempt<readonly Key[]>> | undefined;
  const fetchKeys = async (): Promise<Attempt<readonly Key[]>> => {
    const answer = await client.get(url);
    if (!answer.ok) return { ok: false, error: `oidc: get keys failed ${answer.error}` };
    const keys = readKeys(answer.value.text);
    if (!keys) return { ok: false, error: `oidc: failed to decode keys: ${answer.value.text}` };
    kept = keys;
    expiry = now() + answer.value.maxAge;
    return { ok: true, value: keys };
  };
  return {
    fault: async (jwt) => {
      if (isSigned(jwt, kept)) return undefined;
      if (now() + renewedBefore <= expiry) return wrongSignature;
      underWay ??= fetchKeys().finally(() => (underWay = undefined));
      const keys = await underWay;
      if (!keys.ok) return `fetching keys ${keys.error}`;
      return isSigned(jwt, keys.value) ? undefined : wrongSignature;
    },
  };
}

function readKeys(text: string): readonly Key[] | undefined {
  const document = parsed(text);
  if (!isJsonObject(document)) return undefined;
  return asList(document['keys']).flatMap((jwk) => {
    if (!isJsonObject(jwk)) return [];
    const key = keyOf(jwk);
    return key ? [{ id: asString(jwk['kid']), key }] : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keyOf(jwk: object): KeyObject | undefined {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

const isSigned = (jwt: Jwt, keys: readonly Key[]): boolean =>
  keys.some(({ id, key }) => (jwt.keyId === '' || jwt.keyId === id) && isSignedBy(jwt, key));

const curves: Readonly<Record<string, string>> = { ES256: 'prime256v1', ES384: 'secp384r1', ES512: 'secp521r1' };

/** Follows RFC 7518, section 3. */
function isSignedBy({ algorithm, signed, signature }: Jwt, key: KeyObject): boolean {
  const [, family, bits] = /^(RS|PS|ES)(256|384|512)$/.exec(algorithm) ?? [];
  const isEc = family === 'ES';
  const fits = isEc
    ? key.asymmetricKeyDetails?.namedCurve === curves[algorithm]
    : family !== undefined && key.asymmetricKeyType === 'rsa';
  if (!fits) return false;
  const padding = family === 'PS' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const how = isEc
    ? ({ key, dsaEncoding: 'ieee-p1363' } as const)
    : { key, padding, ...(family === 'PS' ? { saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {}) };
  return verify(`sha${bits}`, Buffer.from(signed), how, Buffer.from(signature, 'base64url'));
}
