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

/** Whether the bytes have the structure of a certificate. Follows Go's crypto/x509 parser.go parseCertificate. */
function isCertificate(der: Uint8Array): boolean {
  const [whole, ...behind] = elementsOf(der) ?? [];
  const [certificate, algorithm, signature, ...more] = partsOf(whole);
  const [first, ...others] = partsOf(certificate);
  const [serial, ...fields] = first?.tag === tags.version ? others : [first, ...others];
  // Signature algorithm, issuer, validity, subject and public key.
  const isComplete = fields.length >= 5 && fields.slice(0, 5).every((field) => field?.tag === tags.sequence);
  return (
    behind.length === 0 &&
    more.length === 0 &&
    isComplete &&
    serial?.tag === tags.integer &&
    partsOf(fields[2]).length === 2 &&
    algorithm?.tag === tags.sequence &&
    signature?.tag === tags.bitString
  );
}

const partsOf = (element: Element | undefined): readonly Element[] =>
  element?.tag === tags.sequence ? (elementsOf(element.content) ?? []) : [];
