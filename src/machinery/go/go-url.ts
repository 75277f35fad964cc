import { goQuote } from '../meta/field-error.ts';

/** A URL as Go splits it; the host keeps its port. */
interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  /** `user:password` as written, undefined without userinfo. */
  readonly userinfo: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

type GoUrlReading =
  | { readonly outcome: 'parsed'; readonly url: GoUrl }
  /** `parse "::": missing protocol scheme`. */
  | { readonly outcome: 'unparsable'; readonly error: string };

/** Takes a URL apart as lightly as Go does: almost anything parses. Follows go src/net/url/url.go Parse. */
export function parseGoUrl(text: string): GoUrlReading {
  const [main, fragment] = cutString(text, '#');
  if (hasControlCharacter(main)) return unparsable(main, 'net/url: invalid control character in URL');
  const scheme = parseScheme(main);
  if (scheme === undefined) return unparsable(main, 'missing protocol scheme');
  const [rest, query] = cutString(scheme === '' ? main : main.slice(scheme.length + 1), '?');
  const authority = parseAuthority(rest);
  const error = hierarchyError(scheme, rest, authority);
  if (error !== '') return unparsable(main, error);
  if (escapeError(fragment) !== '') return unparsable(text, escapeError(fragment));
  const [userinfo, host] = splitUserinfo(authority ?? '');
  return { outcome: 'parsed', url: { scheme: scheme.toLowerCase(), host, userinfo, query, fragment } };
}

/** What is wrong with the part between scheme and query. */
function hierarchyError(scheme: string, rest: string, authority = ''): string {
  const isOpaque = scheme !== '' && !rest.startsWith('/');
  const path = rest.startsWith('//') ? rest.slice(authority.length + 2) : rest;
  return pathError(scheme, rest) || authorityError(authority) || (isOpaque ? '' : escapeError(path));
}

const unparsable = (text: string, error: string): GoUrlReading => ({
  outcome: 'unparsable',
  error: `parse ${goQuote(text)}: ${error}`,
});

function cutString(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

// oxlint-disable-next-line no-control-regex -- they are what it looks for
const hasControlCharacter = (text: string): boolean => /[\u0000-\u001f\u007f]/.test(text);

/** '' when there is none; undefined when the text starts with a colon. */
function parseScheme(text: string): string | undefined {
  if (text.startsWith(':')) return undefined;
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
}

function parseAuthority(rest: string): string | undefined {
  if (!rest.startsWith('//')) return undefined;
  const end = rest.indexOf('/', 2);
  return end < 0 ? rest.slice(2) : rest.slice(2, end);
}

function pathError(scheme: string, rest: string): string {
  const isRelative = scheme === '' && !rest.startsWith('/');
  const [firstSegment] = cutString(rest, '/');
  return isRelative && firstSegment.includes(':') ? 'first path segment in URL cannot contain colon' : '';
}

function splitUserinfo(authority: string): readonly [userinfo: string | undefined, host: string] {
  const at = authority.lastIndexOf('@');
  return at < 0 ? [undefined, authority] : [authority.slice(0, at), authority.slice(at + 1)];
}

function authorityError(authority: string): string {
  const [userinfo, host] = splitUserinfo(authority);
  const error = hostError(host);
  if (error !== '') return error;
  return userinfo === undefined || /^[\w.~!$&'()*+,;=:%@-]*$/.test(userinfo) ? '' : 'net/url: invalid userinfo';
}

function hostError(host: string): string {
  const isBracketed = host.startsWith('[');
  if (isBracketed && !host.includes(']')) return "missing ']' in host";
  const port = isBracketed ? host.slice(host.lastIndexOf(']') + 1) : matchedText(/:[^:]*$/, host);
  if (!/^(:\d*)?$/.test(port)) return `invalid port ${goQuote(port)} after host`;
  // A host may escape only non-ASCII characters.
  const escape = matchedText(/%(?!25)[0-7]./, host);
  if (escape !== '') return escapeError(host) || `invalid URL escape ${goQuote(escape)}`;
  const character = matchedText(/[^\w.~!$&'()*+,;=:[\]<>"%\u0080-\uffff-]/, host);
  return escapeError(host) || (character === '' ? '' : `invalid character ${goQuote(character)} in host name`);
}

function escapeError(text: string): string {
  const found = matchedText(/%(?![0-9a-fA-F]{2}).{0,2}/s, text);
  return found === '' ? '' : `invalid URL escape ${goQuote(found)}`;
}

const matchedText = (pattern: RegExp, text: string): string => pattern.exec(text)?.[0] ?? '';

/** Decodes percent escapes. A text with an invalid escape is returned unchanged. */
export function unescapeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
  return `/${parts.map(escapeSegment).join('/')}`;
}

/** encodeURIComponent and Go differ in a few characters of a path. */
const escapeSegment = (part: string): string =>
  encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
    .replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
