import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { goQuote } from '../../machinery/meta/field-error.ts';
import type { ServerCertificate, CertificateCause } from '../../apiserver/admission/webhooks/call.ts';
import { formatTime } from '../../machinery/meta/time.ts';

/** The server's certificates and what verification needs. */
interface PeerCertificate {
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
export function verifyCertificate(shown: PeerCertificate): VerificationError | undefined {
  const { leaf, serverName, now, trusted } = shown;
  return (
    datesError(leaf, now) ??
    hostnameError(leaf, serverName) ??
    (trusted ? undefined : chainError(leaf, [leaf], shown)) ??
    usageError(leaf)
  );
}

function datesError(certificate: X509Certificate, now: number): VerificationError | undefined {
  const from = Date.parse(certificate.validFrom);
  const to = Date.parse(certificate.validTo);
  const current = `x509: certificate has expired or is not yet valid: current time ${formatTime(now)} is`;
  if (now < from) return { because: 'not-yet-valid', text: `${current} before ${formatTime(from)}` };
  return now > to ? { because: 'expired', text: `${current} after ${formatTime(to)}` } : undefined;
}

const anyUsage = '2.5.29.37.0';
const serverAuth = '1.3.6.1.5.5.7.3.1';

/** Node calls the extended key usages keyUsage. */
function usageError({ keyUsage }: X509Certificate): VerificationError | undefined {
  const usages: readonly string[] | undefined = keyUsage;
  if (!usages || usages.includes(serverAuth) || usages.includes(anyUsage)) return undefined;
  return { because: 'key-usage', text: 'x509: certificate specifies an incompatible key usage' };
}

/** Also for a server without a certificate. */
export const unknownAuthority = (hint = ''): VerificationError => ({
  because: 'unknown-authority',
  text: `x509: certificate signed by unknown authority${hint}`,
});

/** Searches a chain to a root; the first fault of a candidate becomes the hint. */
function chainError(
  certificate: X509Certificate,
  chain: readonly X509Certificate[],
  shown: PeerCertificate,
): VerificationError | undefined {
  const roots = shown.roots();
  if (chain.length === 1 && includes(roots, certificate)) return undefined;
  let hint = '';
  let error: VerificationError | undefined;
  for (const [candidates, isRoot] of [[roots, true] as const, [shown.intermediates, false] as const]) {
    for (const candidate of candidates) {
      if (candidate.subject !== certificate.issuer || includes(chain, candidate)) continue;
      const problem = signatureError(certificate, candidate);
      if (problem !== undefined) {
        hint ||= ` (possibly because of ${goQuote(problem)} while trying to verify candidate authority certificate ${goQuote(nameOf(candidate))})`;
        continue;
      }
      error = candidateError(candidate, isRoot, [...chain, candidate], shown);
      if (error === undefined) return undefined;
    }
  }
  return error ?? unknownAuthority(hint);
}

function candidateError(
  candidate: X509Certificate,
  isRoot: boolean,
  chain: readonly X509Certificate[],
  shown: PeerCertificate,
): VerificationError | undefined {
  const dates = datesError(candidate, shown.now);
  if (dates !== undefined || isRoot) return dates;
  if (!candidate.ca) {
    return { because: 'not-an-authority', text: 'x509: certificate is not authorized to sign other certificates' };
  }
  return chain.length > 10 ? unknownAuthority() : chainError(candidate, chain, shown);
}

function signatureError(certificate: X509Certificate, parent: X509Certificate): string | undefined {
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

/** The relevant fields of a refused certificate, and the expected name. */
export const certificateInfo = (leaf: X509Certificate, serverName: string): ServerCertificate => ({
  subject: oneLine(leaf.subject),
  issuer: oneLine(leaf.issuer),
  names: namesIn(leaf),
  notBefore: Date.parse(leaf.validFrom),
  notAfter: Date.parse(leaf.validTo),
  serverName,
});

/** Node prints one part of a name per line. */
const oneLine = (name: string | undefined): string => (name ?? '').split('\n').join(', ');

/** What is wrong with a certificate, and Go's text. */
export interface VerificationError {
  readonly because: CertificateCause;
  readonly text: string;
}

/** Go prints the names of a certificate only when there are fewer. */
const listed = 100;

/**
 * Verifies the host name against the certificate's SANs; the common name does not count. Follows Go's crypto/x509
 * verify.go VerifyHostname and HostnameError (rule FAIL-4).
 */
function hostnameError(certificate: X509Certificate, host: string): VerificationError | undefined {
  const names = subjectAltNames(certificate);
  const isAddress = isIP(host) !== 0;
  const candidates = isAddress ? names.addresses : names.dns;
  if (isAddress) {
    if (candidates.includes(canonicalAddress(host))) return undefined;
  } else if (candidates.some((pattern) => nameMatches(pattern, host))) {
    return undefined;
  }
  if (!names.present && nameMatches(commonName(certificate), host)) {
    const text = 'x509: certificate relies on legacy Common Name field, use SANs instead';
    return { because: 'common-name-only', text };
  }
  return { because: 'name-mismatch', text: mismatchText(candidates, host) };
}

function mismatchText(candidates: readonly string[], host: string): string {
  const isAddress = isIP(host) !== 0;
  if (isAddress && candidates.length === 0) {
    return `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  }
  if (candidates.length >= listed) {
    return `x509: certificate is valid for ${candidates.length} ${isAddress ? 'IP SANs' : 'names'}, but none matched ${host}`;
  }
  if (candidates.length === 0) return `x509: certificate is not valid for any names, but wanted to match ${host}`;
  return `x509: certificate is valid for ${candidates.join(', ')}, not ${host}`;
}

function namesIn(certificate: X509Certificate): readonly string[] {
  const { dns, addresses } = subjectAltNames(certificate);
  return [...dns, ...addresses];
}

interface Names {
  readonly present: boolean;
  readonly dns: readonly string[];
  readonly addresses: readonly string[];
}

function subjectAltNames({ subjectAltName }: X509Certificate): Names {
  if (subjectAltName === undefined) return { present: false, dns: [], addresses: [] };
  const valuesOf = (type: string): readonly string[] =>
    subjectAltName
      .split(', ')
      .filter((entry) => entry.startsWith(`${type}:`))
      .map((entry) => entry.slice(type.length + 1));
  return { present: true, dns: valuesOf('DNS'), addresses: valuesOf('IP Address').map(canonicalAddress) };
}

/** OpenSSL prints IPv6 addresses in full, Go and URL in the short form. */
const canonicalAddress = (address: string): string =>
  isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;

const commonName = ({ subject }: X509Certificate): string => /^CN=(.*)$/m.exec(subject)?.[1] ?? '';

/** `*` matches exactly the leftmost label. */
function nameMatches(pattern: string, host: string): boolean {
  const wanted = host.toLowerCase().replace(/\.$/, '').split('.');
  const offered = pattern.toLowerCase().split('.');
  if (pattern === '' || wanted.length !== offered.length) return false;
  return offered.every((label, at) => (at === 0 && label === '*' && offered.length > 1) || label === wanted[at]);
}
