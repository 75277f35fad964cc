/**
 * The tag of an image reference: `latest` when it has neither tag nor digest, '' when it has only a digest or cannot be
 * parsed. Follows kubernetes pkg/util/parsers/parsers.go and github.com/distribution/reference.
 */
export function imageTag(image: string): string {
  const reference = /^[a-f0-9]{64}$/.test(image) ? null : referencePattern.exec(normalized(image));
  const { name, tag, digest } = reference?.groups ?? {};
  if (name === undefined || name.length > 255 || (digest !== undefined && !isDigest(digest))) return '';
  return tag ?? (digest === undefined ? 'latest' : '');
}

const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = String.raw`(?:${domainPart}(?:\.${domainPart})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const pathPart = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const referencePattern = new RegExp(
  String.raw`^(?<name>${domain}/${pathPart}(?:/${pathPart})*)` +
    String.raw`(?::(?<tag>\w[\w.-]{0,127}))?` +
    String.raw`(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);

/** `nginx` is `docker.io/library/nginx`, `a/b` is `docker.io/a/b`, `host:5000/b` names its own registry. */
function normalized(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isDomain = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  if (isDomain) return image;
  return slash < 0 ? `docker.io/library/${image}` : `docker.io/${image}`;
}

const digestLengths: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

function isDigest(digest: string): boolean {
  const colon = digest.indexOf(':');
  const hex = digest.slice(colon + 1);
  return hex.length === digestLengths.get(digest.slice(0, colon)) && hex === hex.toLowerCase();
}
