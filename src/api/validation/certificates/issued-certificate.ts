import { pemBlocks } from '../../../machinery/go/pem.ts';

/**
 * What is wrong with `status.certificate`; undefined for nothing. What is inside the blocks is not parsed.
 * Follows kubernetes pkg/apis/certificates/validation validateCertificate.
 */
export function certificateFault(encoded: string): string | undefined {
  const blocks = [...pemBlocks(decoded(encoded))];
  const other = blocks.find(({ type }) => type !== 'CERTIFICATE');
  if (other) return `only CERTIFICATE PEM blocks are allowed, found "${other.type}"`;
  if (blocks.some(({ hasHeaders }) => hasHeaders)) return 'no PEM block headers are permitted';
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
