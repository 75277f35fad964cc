import type { SecureContextOptions } from 'node:tls';
import type { CertificateFlaw } from './plan-response.ts';

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
  const authority = cacheByKey((name: 'known' | 'unknown') =>
    issue({ commonName: authorityNames[name], purpose: 'authority', ...toDates(validity) }),
  );
  const serving = cacheByKey(async (key: string) => {
    const [flaw = '', serverName = ''] = key.split(' ');
    const { commonName, names, authority: signer, ...dates } = flawedCertificate(certificateFlaw(flaw), serverName);
    const issuer = await authority(signer);
    return issue({ commonName, purpose: 'server', names, ...toDates(dates), issuer });
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

const toDates = ({ notBefore, notAfter }: typeof validity): { readonly notBefore: Date; readonly notAfter: Date } => ({
  notBefore: new Date(notBefore),
  notAfter: new Date(notAfter),
});

function cacheByKey<K, T>(make: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const cached = new Map<K, Promise<T>>();
  return (key) => {
    const known = cached.get(key) ?? make(key);
    cached.set(key, known);
    return known;
  };
}

interface StubCertificate {
  /** As failed calls show them: `CN=…`. */
  readonly subject: string;
  readonly issuer: string;
  readonly commonName: string;
  readonly names: readonly string[];
  /** Milliseconds since 1970; equal in every run. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly authority: 'known' | 'unknown';
}

const authorityNames = { known: 'kadmit-stub-ca', unknown: 'kadmit-stub-unknown-ca' } as const;

/** Of authorities and certificates that are not expired. */
const validity = { notBefore: Date.UTC(2020, 0, 1), notAfter: Date.UTC(2120, 0, 1) };
const expired = { notBefore: Date.UTC(2018, 0, 1), notAfter: Date.UTC(2019, 0, 1) };

const commonName = 'kadmit-stub';
const wrongName = 'wrong-name.kadmit.invalid';

/** undefined: a valid one. */
export function flawedCertificate(flaw: CertificateFlaw | undefined, serverName: string): StubCertificate {
  const authority = flaw === 'tls-unknown-ca' ? 'unknown' : 'known';
  return {
    subject: `CN=${commonName}`,
    issuer: `CN=${authorityNames[authority]}`,
    commonName,
    names: [flaw === 'tls-wrong-name' ? wrongName : serverName],
    ...(flaw === 'tls-expired' ? expired : validity),
    authority,
  };
}
