import type { CertificateFlaw } from './plan.ts';

/** A certificate of a stub: what is in it, and who signs it. */
export interface StubCertificate {
  /** As a failed call shows them: `CN=…`. */
  readonly subject: string;
  readonly issuer: string;
  readonly commonName: string;
  readonly names: readonly string[];
  /** Milliseconds since 1970; the same in every run. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly authority: 'known' | 'unknown';
}

export const authorityNames = { known: 'kadmit-stub-ca', unknown: 'kadmit-stub-unknown-ca' } as const;

/** When the authorities and every certificate that is not expired are valid. */
export const validity = { notBefore: Date.UTC(2020, 0, 1), notAfter: Date.UTC(2120, 0, 1) };
const expired = { notBefore: Date.UTC(2018, 0, 1), notAfter: Date.UTC(2019, 0, 1) };

const commonName = 'kadmit-stub';
const wrongName = 'wrong-name.kadmit.invalid';

/** The certificate a stub shows to a client that wants `serverName`; undefined: nothing is wrong with it. */
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
