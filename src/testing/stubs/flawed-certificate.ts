import type { CertificateFlaw } from './plan.ts';

export interface StubCertificate {
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

export const authorityNames = { known: 'kadmit-stub-ca', unknown: 'kadmit-stub-unknown-ca' } as const;

/** Of authorities and certificates that are not expired. */
export const validity = { notBefore: Date.UTC(2020, 0, 1), notAfter: Date.UTC(2120, 0, 1) };
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
