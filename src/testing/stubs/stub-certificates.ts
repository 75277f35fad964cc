import type { SecureContextOptions } from 'node:tls';
import { authorityNames, flawedCertificate, validity } from './flawed-certificate.ts';
import type { CertificateFlaw } from './plan.ts';

/** A certificate with its key, both PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate: the port that src/adapters/certificates fills. Without an issuer it signs itself. */
export type IssueCertificate = (order: {
  readonly commonName: string;
  readonly purpose: 'authority' | 'server';
  readonly names?: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly issuer?: KeyedCertificate;
}) => Promise<KeyedCertificate>;

/** What is special about the TLS of a stub; undefined: nothing. */
export type TlsFlaw = CertificateFlaw | 'tls-old-protocol' | undefined;

export interface StubCertificates {
  /** The authority to trust, as a webhook configuration has it: base64 of PEM. */
  readonly caBundle: () => Promise<string>;
  /** What to show to a client that wants this name, an address or a DNS name. */
  readonly certificateFor: (flaw: TlsFlaw, serverName: string) => Promise<KeyedCertificate>;
}

/** Certificates of stubs, each made when it is first wanted. Keys stay in memory. */
export function createStubCertificates(issue: IssueCertificate): StubCertificates {
  const authority = onceFor((name: 'known' | 'unknown') =>
    issue({ commonName: authorityNames[name], purpose: 'authority', ...datesOf(validity) }),
  );
  const serving = onceFor(async (key: string) => {
    const [flaw = '', serverName = ''] = key.split(' ');
    const { commonName, names, authority: signer, ...dates } = flawedCertificate(certificateFlaw(flaw), serverName);
    const issuer = await authority(signer);
    return issue({ commonName, purpose: 'server', names, ...datesOf(dates), issuer });
  });
  return {
    caBundle: async () => Buffer.from((await authority('known')).certificate).toString('base64'),
    certificateFor: (flaw, serverName) => serving(`${flaw ?? 'none'} ${serverName}`),
  };
}

const certificateFlaw = (flaw: string): CertificateFlaw | undefined =>
  flaw === 'tls-expired' || flaw === 'tls-wrong-name' || flaw === 'tls-unknown-ca' ? flaw : undefined;

/** What a server offers. OpenSSL speaks the old versions only at the lowest level of security. */
export const protocolsOf = (flaw: string | undefined): SecureContextOptions =>
  flaw === 'tls-old-protocol'
    ? { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
    : { minVersion: 'TLSv1.2' };

const datesOf = ({ notBefore, notAfter }: typeof validity): { readonly notBefore: Date; readonly notAfter: Date } => ({
  notBefore: new Date(notBefore),
  notAfter: new Date(notAfter),
});

function onceFor<K, T>(make: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const made = new Map<K, Promise<T>>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}
