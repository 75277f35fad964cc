import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificateCause } from '../../apiserver/admission/webhooks/failure-cause.ts';

/** What is wrong with a certificate, and Go's text. */
export interface Complaint {
  readonly because: CertificateCause;
  readonly text: string;
}

/** Go prints the names of a certificate only when there are fewer. */
const listed = 100;

/**
 * Verifies the host name against the certificate's SANs; the common name does not count. Follows Go's crypto/x509
 * verify.go VerifyHostname and HostnameError (rule FAIL-4).
 */
export function hostnameComplaint(certificate: X509Certificate, host: string): Complaint | undefined {
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

export function namesIn(certificate: X509Certificate): readonly string[] {
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
