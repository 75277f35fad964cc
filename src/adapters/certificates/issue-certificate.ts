import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

export type KeyType = 'ec' | 'rsa';

export interface CertificateOrder {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** Of a user; '' for none. */
  readonly uid?: string;
  readonly purpose: 'authority' | 'server' | 'client';
  /** Default: `ec`, P-256. RSA keys take 150 ms to generate. */
  readonly keyType?: KeyType;
  /** Subject alternative names; addresses become IP entries. */
  readonly names?: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** undefined: self-signed. */
  readonly issuer?: KeyedCertificate;
}

const p256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const rsa2048 = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
} as const;
export const caSignature = { name: 'ECDSA', hash: 'SHA-256' } as const;

/**
 * Generates a key and its certificate, signed by a P-256 key. The first call loads the X.509 library, which takes 100
 * ms.
 */
export async function issueCertificate(order: CertificateOrder): Promise<KeyedCertificate> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const keys = await webcrypto.subtle.generateKey(order.keyType === 'rsa' ? rsa2048 : p256, true, ['sign', 'verify']);
  const signer = order.issuer ? await importSigningKey(order.issuer.key) : keys.privateKey;
  const issuer = order.issuer ? new x509.X509Certificate(order.issuer.certificate) : undefined;
  const subject = subjectOf(order);
  const { names = [] } = order;
  const isAuthority = order.purpose === 'authority';
  const made = await x509.X509CertificateGenerator.create(
    {
      subject,
      issuer: issuer?.subject ?? subject,
      notBefore: order.notBefore,
      notAfter: order.notAfter,
      publicKey: keys.publicKey,
      signingKey: signer,
      signingAlgorithm: caSignature,
      extensions: [
        new x509.BasicConstraintsExtension(isAuthority, undefined, true),
        new x509.KeyUsagesExtension(
          isAuthority
            ? x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature
            : x509.KeyUsageFlags.digitalSignature,
          true,
        ),
        ...usage(order.purpose, x509.ExtendedKeyUsage).map((one) => new x509.ExtendedKeyUsageExtension([one])),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
        ...(issuer ? [await x509.AuthorityKeyIdentifierExtension.create(issuer)] : []),
        ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names.map(generalName))] : []),
      ],
    },
    webcrypto,
  );
  return { certificate: `${made.toString('pem')}\n`, key: pemOf(keys.privateKey) };
}

/** RFC 4514 fields: passed as fields, no character of a name needs escaping. */
const subjectOf = ({ commonName, organizations = [], uid = '' }: CertificateOrder): { [field: string]: string[] }[] => [
  ...organizations.map((organization) => ({ O: [organization] })),
  { CN: [commonName] },
  ...(uid === '' ? [] : [{ [uidAttribute]: [uid] }]),
];

/** Where kube-apiserver reads the UID of a user. Follows apimachinery pkg/apis/asn1/oid.go. */
const uidAttribute = '1.3.6.1.4.1.57683.2';

function usage<T>(
  purpose: CertificateOrder['purpose'],
  usages: { readonly serverAuth: T; readonly clientAuth: T },
): readonly T[] {
  if (purpose === 'authority') return [];
  return [purpose === 'server' ? usages.serverAuth : usages.clientAuth];
}

const generalName = (name: string): { type: 'ip' | 'dns'; value: string } => ({
  type: isIP(name) === 0 ? 'dns' : 'ip',
  value: name,
});

export const importSigningKey = (pem: string): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('pkcs8', createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }), p256, false, [
    'sign',
  ]);

const pemOf = (key: webcrypto.CryptoKey): string =>
  KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
