import { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';

/** The DNS names and addresses a certificate holds; none for what is no certificate. */
export function certificateNames(pem: string): readonly string[] {
  try {
    return namesIn(new X509Certificate(pem));
  } catch {
    return [];
  }
}

/** The same of one that was read. */
export const namesIn = ({ subjectAltName = '' }: X509Certificate): readonly string[] =>
  subjectAltName
    .split(', ')
    .map((entry) => entry.replace(/^(?:DNS|IP Address):/, ''))
    .filter((name) => name !== '')
    .map(shortened);

/** OpenSSL prints IPv6 addresses in full. Node takes milliseconds to make ready what it knows them by. */
const shortened = (name: string): string =>
  name.includes(':') && isIPv6(name) ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name;
