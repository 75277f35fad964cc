import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls, { rootCertificates } from 'node:tls';
import type { ClientConfig } from '../../apiserver/admission/webhooks/call.ts';
import { pemBlocks } from '../../machinery/go/pem.ts';

type CaBundle =
  /** Without certificates the system roots apply. */
  | { readonly outcome: 'read'; readonly certificates: readonly X509Certificate[] }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * Reads a caBundle (base64 of PEM). Blocks that are not certificates or cannot be parsed are skipped if one is valid.
 * Follows client-go transport/transport.go rootCertPool (rule HTTP-9).
 */
export function readCaBundle(caBundle: string): CaBundle {
  const text = Buffer.from(caBundle, 'base64').toString('latin1');
  if (text === '') return { outcome: 'read', certificates: [] };
  const blocks = [...pemBlocks(text)];
  const parsed = blocks
    .filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders)
    .map(({ base64 }) => certificateOf(Buffer.from(base64, 'base64')));
  const certificates = parsed.filter((one) => one !== undefined);
  if (certificates.length > 0) return { outcome: 'read', certificates };
  return { outcome: 'unreadable', error: `unable to load root certificates: ${whyNone(blocks.length, parsed.length)}` };
}

/** Caches by bundle: the 140 roots of a Linux distribution, which some operators inject, take 17 ms. */
export function createCaBundleReader(): (config: ClientConfig) => CaBundle {
  const known = new WeakMap<ClientConfig, CaBundle>();
  return (config) => {
    const bundle = known.get(config) ?? readCaBundle(config.caBundle ?? '');
    known.set(config, bundle);
    return bundle;
  };
}

function whyNone(blocks: number, certificates: number): string {
  if (blocks === 0) return 'unable to parse bytes as PEM block';
  if (certificates > 0) return 'failed to parse certificate: x509: malformed certificate';
  return 'no valid certificate authority data seen';
}

function certificateOf(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

// Follows Go's crypto/x509 root_linux.go and root_bsd.go.
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * System roots in PEM: SSL_CERT_FILE, otherwise the system's store or bundle, otherwise Node's (rule HTTP-9). macOS and Windows have a
 * store, which Node reads from 22.15 on.
 */
export function systemRoots(
  environment: NodeJS.ProcessEnv,
  { platform, storedRoots }: RootSources = { platform: process.platform, storedRoots: rootsInStore },
): readonly string[] {
  const { SSL_CERT_FILE: chosen, NODE_EXTRA_CA_CERTS: extra } = environment;
  const stored = chosen || !['darwin', 'win32'].includes(platform) ? [] : storedRoots();
  const places = [() => stored, ...bundles.map((file) => () => certificatesIn(file))];
  const own = chosen ? certificatesIn(chosen) : places.map((read) => read()).find((found) => found.length > 0);
  return [...(own ?? rootCertificates), ...(extra ? certificatesIn(extra) : [])];
}

interface RootSources {
  readonly platform: NodeJS.Platform;
  readonly storedRoots: () => readonly string[];
}

/** Of the certificate store of the system; [] where this Node cannot read it. */
function rootsInStore(): readonly string[] {
  const read: unknown = Reflect.get(tls, 'getCACertificates');
  const found: unknown = typeof read === 'function' ? Reflect.apply(read, tls, ['system']) : [];
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
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
