import type { X509Certificate } from 'node:crypto';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { hostnameComplaint } from './verify-hostname.ts';
import type { Complaint } from './verify-hostname.ts';

/** The server's certificates and what verification needs. */
export interface ShownCertificate {
  readonly leaf: X509Certificate;
  readonly intermediates: readonly X509Certificate[];
  readonly serverName: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether OpenSSL found a chain to a root. */
  readonly trusted: boolean;
  /** Called only if OpenSSL found no chain. */
  readonly roots: () => readonly X509Certificate[];
}

/**
 * Go's verification error: dates, host name, then the chain. A chain that OpenSSL refuses is checked again, since Go
 * also trusts a leaf or an intermediate in the bundle. Follows Go's crypto/x509 verify.go (rule FAIL-4).
 */
export function certificateComplaint(shown: ShownCertificate): Complaint | undefined {
  const { leaf, serverName, now, trusted } = shown;
  return (
    datesComplaint(leaf, now) ??
    hostnameComplaint(leaf, serverName) ??
    (trusted ? undefined : chainComplaint(leaf, [leaf], shown)) ??
    usageComplaint(leaf)
  );
}

function datesComplaint(certificate: X509Certificate, now: number): Complaint | undefined {
  const from = Date.parse(certificate.validFrom);
  const to = Date.parse(certificate.validTo);
  const current = `x509: certificate has expired or is not yet valid: current time ${rfc3339(now)} is`;
  if (now < from) return { because: 'not-yet-valid', text: `${current} before ${rfc3339(from)}` };
  return now > to ? { because: 'expired', text: `${current} after ${rfc3339(to)}` } : undefined;
}

const rfc3339 = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

const anyUsage = '2.5.29.37.0';
const serverAuth = '1.3.6.1.5.5.7.3.1';

/** Node calls the extended key usages keyUsage. */
function usageComplaint({ keyUsage }: X509Certificate): Complaint | undefined {
  const usages: readonly string[] | undefined = keyUsage;
  if (!usages || usages.includes(serverAuth) || usages.includes(anyUsage)) return undefined;
  return { because: 'key-usage', text: 'x509: certificate specifies an incompatible key usage' };
}

/** Also for a server without a certificate. */
export const unknownAuthority = (hint = ''): Complaint => ({
  because: 'unknown-authority',
  text: `x509: certificate signed by unknown authority${hint}`,
});

/** Searches a chain to a root; the first fault of a candidate becomes the hint. */
function chainComplaint(
  certificate: X509Certificate,
  chain: readonly X509Certificate[],
  shown: ShownCertificate,
): Complaint | undefined {
  const roots = shown.roots();
  if (chain.length === 1 && includes(roots, certificate)) return undefined;
  let hint = '';
  let complaint: Complaint | undefined;
  for (const [candidates, isRoot] of [[roots, true] as const, [shown.intermediates, false] as const]) {
    for (const candidate of candidates) {
      if (candidate.subject !== certificate.issuer || includes(chain, candidate)) continue;
      const problem = signatureComplaint(certificate, candidate);
      if (problem !== undefined) {
        hint ||= ` (possibly because of ${goQuote(problem)} while trying to verify candidate authority certificate ${goQuote(nameOf(candidate))})`;
        continue;
      }
      complaint = candidateComplaint(candidate, isRoot, [...chain, candidate], shown);
      if (complaint === undefined) return undefined;
    }
  }
  return complaint ?? unknownAuthority(hint);
}

function candidateComplaint(
  candidate: X509Certificate,
  isRoot: boolean,
  chain: readonly X509Certificate[],
  shown: ShownCertificate,
): Complaint | undefined {
  const dates = datesComplaint(candidate, shown.now);
  if (dates !== undefined || isRoot) return dates;
  if (!candidate.ca) {
    return { because: 'not-an-authority', text: 'x509: certificate is not authorized to sign other certificates' };
  }
  return chain.length > 10 ? unknownAuthority() : chainComplaint(candidate, chain, shown);
}

function signatureComplaint(certificate: X509Certificate, parent: X509Certificate): string | undefined {
  if (!parent.ca) return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  if (verifies(certificate, parent)) return undefined;
  const type = parent.publicKey.asymmetricKeyType;
  if (type === 'rsa') return 'crypto/rsa: verification error';
  return `x509: ${type === 'ed25519' ? 'Ed25519' : 'ECDSA'} verification failure`;
}

function verifies(certificate: X509Certificate, parent: X509Certificate): boolean {
  try {
    return certificate.verify(parent.publicKey);
  } catch {
    return false; // A key of another type than the signature's.
  }
}

const includes = (list: readonly X509Certificate[], one: X509Certificate): boolean =>
  list.some((other) => other.fingerprint256 === one.fingerprint256);

function nameOf({ subject, serialNumber }: X509Certificate): string {
  const part = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, 'm').exec(subject)?.[1];
  return part('CN') ?? part('O') ?? `serial:${BigInt(`0x${serialNumber}`)}`;
}
