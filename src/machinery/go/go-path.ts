/**
 * A path as client-go sends it: rooted, without `//`, `.`, `..` or a trailing slash, percent-encoded.
 * Follows Go's path.Join and url.URL.EscapedPath (rule HTTP-3).
 */
export function goPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.map(escaped).join('/')}`;
}

/** encodeURIComponent escapes a few characters that Go leaves alone in a path, and leaves alone a few that Go escapes. */
const escaped = (part: string): string =>
  encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
    .replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
