/**
 * What is wrong with `status.certificate`; undefined for nothing. What is inside the blocks is not parsed.
 * Follows kubernetes pkg/apis/certificates/validation validateCertificate.
 */
export function certificateFault(encoded: string): string | undefined {
  const blocks = blocksIn(decoded(encoded));
  const other = blocks.find(({ type }) => type !== 'CERTIFICATE');
  if (other) return `only CERTIFICATE PEM blocks are allowed, found "${other.type}"`;
  if (blocks.some(({ hasHeaders }) => hasHeaders)) return 'no PEM block headers are permitted';
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

interface Block {
  readonly type: string;
  readonly hasHeaders: boolean;
}

function blocksIn(pem: string): readonly Block[] {
  const parts = pem.split('-----BEGIN ').slice(1);
  return parts.flatMap((part) => {
    const type = /^([^\n]*?)-----\r?\n/.exec(part)?.[1];
    const end = type === undefined ? -1 : part.indexOf(`-----END ${type}-----`);
    return type === undefined || end < 0 ? [] : [{ type, hasHeaders: part.slice(0, end).includes(': ') }];
  });
}

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
