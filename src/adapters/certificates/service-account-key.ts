import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** Signs ServiceAccount tokens. */
export interface SigningKey {
  readonly algorithm: Algorithm;
  readonly keyId: string;
  /** The signature of a text, base64url. */
  readonly sign: (text: string) => string;
}

type Algorithm = 'ES256' | 'ES384' | 'ES512' | 'RS256';

/** Checks the signatures of ServiceAccount tokens. */
export interface VerifyingKey {
  readonly verify: (token: SignedToken) => boolean;
  /** As it stands in a key set; fields in Go's order. */
  readonly jwk: Readonly<Record<string, string>>;
}

export interface SignedToken {
  readonly algorithm: string;
  readonly keyId: string;
  readonly signed: string;
  readonly signature: string;
}

/**
 * A P-256, P-384, P-521 or RSA key in PEM as a signer; undefined for anything else. The key id is the hash of the public key, as in
 * pkg/serviceaccount/jwt.go.
 */
export function readSigningKey(pem: string): SigningKey | undefined {
  const key = keyIn(pem, createPrivateKey);
  const algorithm = key && algorithmOf(key);
  if (!key || !algorithm) return undefined;
  return {
    algorithm,
    keyId: keyIdOf(createPublicKey(key)),
    sign: (text) =>
      sign(digests[algorithm], Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/**
 * Every such key in a PEM text, as what checks the signature of a token: public and private keys, certificates.
 * Follows client-go util/keyutil/key.go ParsePublicKeysPEM.
 */
export function readVerifyingKeys(pem: string): readonly VerifyingKey[] {
  return (pem.match(block) ?? []).flatMap((text) => {
    const key = keyIn(text, createPublicKey);
    const algorithm = key && algorithmOf(key);
    return key && algorithm ? [verifierOf(key, algorithm)] : [];
  });
}

function verifierOf(key: KeyObject, algorithm: Algorithm): VerifyingKey {
  const keyId = keyIdOf(key);
  const { kty = '', crv, x, y, n, e } = key.export({ format: 'jwk' });
  const numbers = Object.entries({ x, y, n, e }).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
  return {
    jwk: {
      use: 'sig',
      kty,
      kid: keyId,
      ...(crv === undefined ? {} : { crv }),
      alg: algorithm,
      ...Object.fromEntries(numbers),
    },
    verify: (token) =>
      token.algorithm === algorithm &&
      (token.keyId === '' || token.keyId === keyId) &&
      verify(
        digests[algorithm],
        Buffer.from(token.signed),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(token.signature, 'base64url'),
      ),
  };
}

const digests: Readonly<Record<Algorithm, string>> = {
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
  RS256: 'sha256',
};

/** By OpenSSL's names of the curves. */
const curves: ReadonlyMap<string | undefined, Algorithm> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

const algorithmOf = (key: KeyObject): Algorithm | undefined =>
  key.asymmetricKeyType === 'rsa' ? 'RS256' : curves.get(key.asymmetricKeyDetails?.namedCurve);

function keyIn(pem: string, read: (pem: string) => KeyObject): KeyObject | undefined {
  try {
    return read(pem);
  } catch {
    return undefined;
  }
}

const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
