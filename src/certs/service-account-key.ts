import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** Signs and checks ServiceAccount tokens. */
export interface ServiceAccountKey {
  readonly algorithm: 'ES256' | 'RS256';
  readonly keyId: string;
  /** The signature of a text, base64url. */
  readonly sign: (text: string) => string;
  readonly verify: (token: SignedToken) => boolean;
}

export interface SignedToken {
  readonly algorithm: string;
  readonly keyId: string;
  readonly signed: string;
  readonly signature: string;
}

/** A P-256 or RSA key in PEM as a signer. The key id is the hash of the public key, as in pkg/serviceaccount/jwt.go. */
export function readServiceAccountKey(pem: string): ServiceAccountKey {
  const key = createPrivateKey(pem);
  const publicKey = createPublicKey(key);
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
  const keyId = keyIdOf(publicKey);
  return {
    algorithm,
    keyId,
    sign: (text) => sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
    verify: (token) =>
      token.algorithm === algorithm &&
      (token.keyId === '' || token.keyId === keyId) &&
      verify(
        'sha256',
        Buffer.from(token.signed),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(token.signature, 'base64url'),
      ),
  };
}

const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
