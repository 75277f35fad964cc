import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** Signs ServiceAccount tokens. */
export interface SigningKey {
  readonly algorithm: 'ES256' | 'RS256';
  readonly keyId: string;
  /** The signature of a text, base64url. */
  readonly sign: (text: string) => string;
}

export interface SignedToken {
  readonly algorithm: string;
  readonly keyId: string;
  readonly signed: string;
  readonly signature: string;
}

/**
 * A P-256 or RSA key in PEM as a signer; undefined for anything else. The key id is the hash of the public key, as in
 * pkg/serviceaccount/jwt.go.
 */
export function readSigningKey(pem: string): SigningKey | undefined {
  const key = keyIn(pem, createPrivateKey);
  const algorithm = key && algorithmOf(key);
  if (!key || !algorithm) return undefined;
  return {
    algorithm,
    keyId: keyIdOf(createPublicKey(key)),
    sign: (text) => sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/**
 * Every P-256 and RSA key in a PEM text, as what checks the signature of a token: public and private keys, certificates.
 * Follows client-go util/keyutil/key.go ParsePublicKeysPEM.
 */
export function readVerifyingKeys(pem: string): readonly ((token: SignedToken) => boolean)[] {
  return (pem.match(block) ?? []).flatMap((text) => {
    const key = keyIn(text, createPublicKey);
    const algorithm = key && algorithmOf(key);
    return key && algorithm ? [verifierOf(key, algorithm)] : [];
  });
}

function verifierOf(key: KeyObject, algorithm: string): (token: SignedToken) => boolean {
  const keyId = keyIdOf(key);
  return (token) =>
    token.algorithm === algorithm &&
    (token.keyId === '' || token.keyId === keyId) &&
    verify(
      'sha256',
      Buffer.from(token.signed),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(token.signature, 'base64url'),
    );
}

function algorithmOf(key: KeyObject): SigningKey['algorithm'] | undefined {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'ES256' : undefined;
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
