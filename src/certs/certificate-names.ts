import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** The DNS names and addresses a certificate holds; none for what is no certificate. */
export function certificateNames(pem: string): readonly string[] {
  return (altNames(pem) ?? '')
    .split(', ')
    .map((entry) => entry.replace(/^(?:DNS|IP Address):/, ''))
    .filter((name) => name !== '')
    .map(shortened);
}

function altNames(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).subjectAltName;
  } catch {
    return undefined;
  }
}

/** OpenSSL prints IPv6 addresses in full. */
const shortened = (name: string): string =>
  isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name;
