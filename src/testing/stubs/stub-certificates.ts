import type { SecureContextOptions } from 'node:tls';
import { authorityNames, flawedCertificate, validity } from './flawed-certificate.ts';
import type { CertificateFlaw } from './plan.ts';

/** PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Port for src/adapters/certificates. Without an issuer, self-signed. */
export type IssueCertificate = (order: {
  readonly commonName: string;
  readonly purpose: 'authority' | 'server';
  readonly names?: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly issuer?: KeyedCertificate;
}) => Promise<KeyedCertificate>;

export type TlsFlaw = CertificateFlaw | 'tls-old-protocol' | undefined;

export interface StubCertificates {
  /** The authority's certificate, as `caBundle`: base64 of PEM. */
  readonly caBundle: () => Promise<string>;
  /** `serverName`: an address or a DNS name. */
  readonly certificateFor: (flaw: TlsFlaw, serverName: string) => Promise<KeyedCertificate>;
}

/** Created on first use. Keys stay in memory. */
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

/** OpenSSL offers old versions only at security level 0. */
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
