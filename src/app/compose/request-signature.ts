import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { parseSignedRequest } from '../../api/validation/certificates/x509.ts';

interface Algorithm {
  readonly key: 'RSA' | 'ECDSA' | 'Ed25519';
  /** null: the algorithm has its own. */
  readonly hash: string | null;
}

const rsa = '42,134,72,134,247,13,1,1,';
const ecdsa = '42,134,72,206,61,4,';
const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  [`${rsa}5`, { key: 'RSA', hash: 'sha1' }],
  [`${rsa}11`, { key: 'RSA', hash: 'sha256' }],
  [`${rsa}12`, { key: 'RSA', hash: 'sha384' }],
  [`${rsa}13`, { key: 'RSA', hash: 'sha512' }],
  [`${ecdsa}1`, { key: 'ECDSA', hash: 'sha1' }],
  [`${ecdsa}3,2`, { key: 'ECDSA', hash: 'sha256' }],
  [`${ecdsa}3,3`, { key: 'ECDSA', hash: 'sha384' }],
  [`${ecdsa}3,4`, { key: 'ECDSA', hash: 'sha512' }],
  ['43,101,112', { key: 'Ed25519', hash: null }],
]);
/** RSA with MD5; RSASSA-PSS, whose parameters are not read here. */
const [md5, pss] = [`${rsa}4`, `${rsa}10`];

/** From Node's name of a key type: Go's algorithm and type. */
const keys: Readonly<Record<string, readonly [algorithm: Algorithm['key'], type: string]>> = {
  rsa: ['RSA', '*rsa.PublicKey'],
  ec: ['ECDSA', '*ecdsa.PublicKey'],
  ed25519: ['Ed25519', 'ed25519.PublicKey'],
};

/** Node's names of Go's curves. */
const curves = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);
const shortestModulus = 1024;

const failures: Readonly<Record<Algorithm['key'], string>> = {
  RSA: 'crypto/rsa: verification error',
  ECDSA: 'x509: ECDSA verification failure',
  Ed25519: 'x509: Ed25519 verification failure',
};

/**
 * Go's error for a signature that does not match the key; undefined for a valid or unverifiable one.
 * Follows Go's crypto/x509 CertificateRequest.CheckSignature.
 */
export function signatureFault(request: string): string | undefined {
  const parts = parseSignedRequest(request);
  const key = parts && parsePublicKey(parts.publicKey);
  if (!parts || !key || parts.algorithm === pss) return undefined;
  if (parts.algorithm === md5) return 'x509: cannot verify signature: insecure algorithm MD5-RSA';
  const algorithm = algorithms.get(parts.algorithm);
  const fault = curveFault(key) ?? (algorithm ? keyFault(key, algorithm) : unimplemented);
  if (fault !== undefined || !algorithm) return fault;
  return isSigned(algorithm, key, parts) ? undefined : failures[algorithm.key];
}

const unimplemented = 'x509: cannot verify signature: algorithm unimplemented';

function curveFault({ asymmetricKeyDetails }: KeyObject): string | undefined {
  const curve = asymmetricKeyDetails?.namedCurve;
  return curve === undefined || curves.has(curve) ? undefined : 'x509: unsupported elliptic curve';
}

function keyFault(
  { asymmetricKeyType: kind, asymmetricKeyDetails }: KeyObject,
  { key }: Algorithm,
): string | undefined {
  const [name, type] = keys[kind ?? ''] ?? [];
  if (name === undefined) return unimplemented;
  if (name !== key) {
    return `x509: signature algorithm specifies an ${key} public key, but have public key of type ${type}`;
  }
  const bits = asymmetricKeyDetails?.modulusLength ?? shortestModulus;
  if (bits >= shortestModulus) return undefined;
  return `crypto/rsa: ${bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`;
}

function parsePublicKey(der: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function isSigned(
  { hash }: Algorithm,
  key: KeyObject,
  { signed, signature }: { readonly signed: Uint8Array; readonly signature: Uint8Array },
): boolean {
  try {
    return verify(hash, signed, key, signature);
  } catch {
    return false;
  }
}
