import { X509Certificate } from 'node:crypto';
import type { ClientConfig } from '../../apiserver/admission/webhooks/call.ts';
import { pemBlocks } from '../../machinery/go/pem.ts';

export type CaBundle =
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

/** Go's error for this base64 text; '' when it is empty or contains certificates. */
export function caBundleError(caBundle: string): string {
  const reading = readCaBundle(caBundle);
  return reading.outcome === 'read' ? '' : reading.error;
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
