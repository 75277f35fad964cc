import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { pemBlocks } from '../../../machinery/go/pem.ts';
import { base64Text, type Element, elementsOf, sequenceParts, derTags } from './asn1.ts';

/**
 * Go's error for a caBundle (base64 of PEM); '' when it is empty or contains a certificate. Follows client-go transport/transport.go
 * rootCertPool.
 */
export function caBundleError(caBundle: string): string {
  const text = base64Text(caBundle) ?? 'no base64';
  if (text === '') return '';
  const blocks = [...pemBlocks(text)];
  const certificates = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (certificates.some(({ base64 }) => isCertificate(base64Bytes(base64)))) return '';
  return `unable to load root certificates: ${whyNone(blocks.length, certificates.length)}`;
}

function whyNone(blocks: number, certificates: number): string {
  if (blocks === 0) return 'unable to parse bytes as PEM block';
  if (certificates > 0) return 'failed to parse certificate: x509: malformed certificate';
  return 'no valid certificate authority data seen';
}

/** Serial number, signature algorithm, issuer, validity, subject and public key. */
const fieldTags: readonly number[] = [derTags.integer, ...Array.from({ length: 5 }, () => derTags.sequence)];

/** Whether the bytes have the structure of a certificate. Follows Go's crypto/x509 parser.go parseCertificate. */
function isCertificate(der: Uint8Array): boolean {
  const [whole, ...behind] = elementsOf(der) ?? [];
  const [certificate, ...signature] = sequenceParts(whole);
  const fields = sequenceParts(certificate).filter(({ tag }) => tag !== derTags.version);
  return behind.length === 0 && begins(fields, fieldTags) && begins(signature, [derTags.sequence, derTags.bitString]);
}

const begins = (elements: readonly Element[], wanted: readonly number[]): boolean =>
  wanted.every((tag, index) => elements[index]?.tag === tag);
