import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { CompactSign, compactVerify } from 'jose';

type SignClaims = (claims: object) => Promise<string>;

type Algorithm = 'ES256' | 'ES384' | 'ES512' | 'RS256';

export interface VerifyingKey {
  readonly verify: (jwt: SignedToken) => Promise<boolean>;
  /** Fields in Go's order, as in a key set. */
  readonly jwk: Readonly<Record<string, string>>;
}

interface SignedToken {
  readonly token: string;
  /** '' for none. */
  readonly keyId: string;
}

/**
 * A signer for a P-256, P-384, P-521 or RSA key in PEM; undefined for anything else. The key id is the hash of the
 * public key, as in pkg/serviceaccount/jwt.go.
 */
export function readSigningKey(pem: string): SignClaims | undefined {
  const key = keyIn(pem, createPrivateKey);
  const algorithm = key && algorithmOf(key);
  if (!key || !algorithm) return undefined;
  const header = { alg: algorithm, kid: keyIdOf(createPublicKey(key)) };
  return (claims) => new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader(header).sign(key);
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/**
 * Verifiers for all public keys, private keys and certificates in a PEM text. Follows client-go util/keyutil/key.go
 * ParsePublicKeysPEM.
 */
export function readVerifyingKeys(pem: string): readonly VerifyingKey[] {
  return (pem.match(block) ?? []).flatMap((text) => {
    const key = keyIn(text, createPublicKey);
    const algorithm = key && algorithmOf(key);
    return key && algorithm ? [verifierOf(key, algorithm)] : [];
  });
}

function verifierOf(key: KeyObject, algorithm: Algorithm): VerifyingKey {
  const kid = keyIdOf(key);
  const { kty = '', crv, x, y, n, e } = key.export({ format: 'jwk' });
  const fields = Object.entries({ use: 'sig', kty, kid, crv, alg: algorithm, x, y, n, e });
  return {
    jwk: Object.fromEntries(fields.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))),
    verify: async ({ token, keyId }) => {
      if (keyId !== '' && keyId !== kid) return false;
      return compactVerify(token, key, { algorithms: [algorithm] }).then(
        () => true,
        () => false,
      );
    },
  };
}

/** By OpenSSL's names of the curves. */
const curves: ReadonlyMap<string | undefined, Algorithm> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

/** The minimum of the JWT library. */
const minRsaBits = 2048;

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): Algorithm | undefined {
  const { modulusLength = 0, namedCurve } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'rsa') return modulusLength < minRsaBits ? undefined : 'RS256';
  return curves.get(namedCurve);
}

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
