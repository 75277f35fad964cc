import { createHash } from 'node:crypto';

/** SHA-512 in upper-case hexadecimal digits, as upstream's ETags have it. Follows apiserver pkg/endpoints/discovery/aggregated/etag.go. */
export function contentHash(content: string | Uint8Array): string {
  const hash = createContentHash();
  hash.add(content);
  return hash.text();
}

/** The same of what comes in pieces. */
export function createContentHash(): {
  readonly add: (piece: string | Uint8Array) => void;
  readonly text: () => string;
} {
  const hash = createHash('sha512');
  return { add: (piece) => void hash.update(piece), text: () => hash.digest('hex').toUpperCase() };
}
