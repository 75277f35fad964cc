import { createHash } from 'node:crypto';

/** SHA-512 in upper-case hexadecimal digits, as upstream's ETags have it. Follows apiserver pkg/endpoints/discovery/aggregated/etag.go. */
export const contentHash = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();
