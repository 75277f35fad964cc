import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

// Where Go looks on the systems that keep their roots in one file. Follows Go's crypto/x509 root_linux.go and root_bsd.go.
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The host's own roots as PEM texts: SSL_CERT_FILE, else the system's bundle, else those that Node brings (rule HTTP-9). */
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
