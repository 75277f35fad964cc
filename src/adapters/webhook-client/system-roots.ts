import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

// Follows Go's crypto/x509 root_linux.go and root_bsd.go.
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** System roots in PEM: SSL_CERT_FILE, otherwise the system's bundle, otherwise Node's (rule HTTP-9). */
export function systemRoots(environment: NodeJS.ProcessEnv): readonly string[] {
  const { SSL_CERT_FILE: chosen, NODE_EXTRA_CA_CERTS: extra } = environment;
  const own = chosen ? certificatesIn(chosen) : bundles.map(certificatesIn).find((found) => found.length > 0);
  return [...(own ?? rootCertificates), ...(extra ? certificatesIn(extra) : [])];
}

function certificatesIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'latin1').match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  } catch {
    return [];
  }
}

export const parsedRoots = (roots: readonly string[]): readonly X509Certificate[] =>
  roots.map((root) => new X509Certificate(root));
