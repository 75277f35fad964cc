/** A non-cryptographic hash for ETags and cache keys: 8 hex digits for each part, 128 by default as upstream. */
export function textHash(text: string, parts = 16): string {
  let hash = '';
  for (let part = 1; part <= parts; part += 1) {
    hash += fnv1a(text, Math.imul(part, 0x9e3779b9)).toString(16).padStart(8, '0').toUpperCase();
  }
  return hash;
}

/** FNV-1a of the UTF-16 units with a final mix. */
function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
