import { createHash } from 'node:crypto';

/** SHA-512 in upper-case hexadecimal digits, as upstream's ETags have it. Follows apiserver pkg/endpoints/discovery/aggregated/etag.go. */
export const contentHash = (content: string | Uint8Array): string =>
  createHash('sha512').update(content).digest('hex').toUpperCase();
