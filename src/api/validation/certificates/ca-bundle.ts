import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { pemBlocks } from '../../../machinery/go/pem.ts';
import { type Element, elementsOf } from './certificate-request.ts';

/**
 * Go's error for a caBundle (base64 of PEM); '' when it is empty or contains a certificate. Follows client-go transport/transport.go
 * rootCertPool.
 */
export function caBundleError(caBundle: string): string {
  const text = pemText(caBundle);
  if (text === '') return '';
  const blocks = [...pemBlocks(text)];
  const certificates = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (certificates.some(({ base64 }) => isCertificate(base64Bytes(base64)))) return '';
  return `unable to load root certificates: ${whyNone(blocks.length, certificates.length)}`;
}

/** One character per byte. */
function pemText(caBundle: string): string {
  try {
    return atob(caBundle);
  } catch {
    return 'no base64';
  }
}

function whyNone(blocks: number, certificates: number): string {
  if (blocks === 0) return 'unable to parse bytes as PEM block';
  if (certificates > 0) return 'failed to parse certificate: x509: malformed certificate';
  return 'no valid certificate authority data seen';
}

const tags = { integer: 2, bitString: 3, sequence: 48, version: 160 } as const;

/** Serial number, signature algorithm, issuer, validity, subject and public key. */
const fieldTags: readonly number[] = [tags.integer, ...Array.from({ length: 5 }, () => tags.sequence)];

/** Whether the bytes have the structure of a certificate. Follows Go's crypto/x509 parser.go parseCertificate. */
function isCertificate(der: Uint8Array): boolean {
  const [whole, ...behind] = elementsOf(der) ?? [];
  const [certificate, ...signature] = partsOf(whole);
  const fields = partsOf(certificate).filter(({ tag }) => tag !== tags.version);
  return behind.length === 0 && begins(fields, fieldTags) && begins(signature, [tags.sequence, tags.bitString]);
}

const begins = (elements: readonly Element[], wanted: readonly number[]): boolean =>
  wanted.every((tag, index) => elements[index]?.tag === tag);

const partsOf = (element: Element | undefined): readonly Element[] =>
  element?.tag === tags.sequence ? (elementsOf(element.content) ?? []) : [];
