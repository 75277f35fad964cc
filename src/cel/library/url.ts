import type { CelOperation } from '../run/frame.ts';
import { box, CelError, onBox, noSuchOverload, type Value } from '../value/value.ts';
import { convertCost, type FunctionRow, unitCost } from './cel-function.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import type { Url } from './opaque-values.ts';

const url: CelOperation = (text) => {
  if (typeof text !== 'string') return noSuchOverload;
  const parsed = parseUrl(text);
  return typeof parsed === 'string'
    ? new CelError(`URL parse error during conversion from string: ${parsed}`)
    : box('url', parsed);
};

const isUrl: CelOperation = (text) => (typeof text === 'string' ? typeof parseUrl(text) !== 'string' : noSuchOverload);

const urlHostname = (host: string): string => {
  const bracket = /^\[(.*)\](?::\d*)?$/.exec(host);
  return bracket?.[1] ?? host.replace(/:\d*$/, '');
};

const urlPort = (host: string): string => /:(\d*)$/.exec(host.replace(/^\[.*\]/, ''))?.[1] ?? '';

/** The values of a query, by key. */
type Query = Map<string, readonly [key: string, values: string[]]>;

/** The query as a map of lists. */
function parseQuery(query: string): Value {
  const values: Query = new Map();
  for (const pair of query.split('&')) addPair(values, pair);
  return box('map', values);
}

function addPair(values: Query, pair: string): void {
  if (pair === '' || pair.includes(';')) return;
  const equals = pair.indexOf('=');
  const key = unescapeQuery(equals < 0 ? pair : pair.slice(0, equals));
  const value = unescapeQuery(equals < 0 ? '' : pair.slice(equals + 1));
  if (key === undefined || value === undefined) return;
  const known = values.get(key);
  if (known) known[1].push(value);
  else values.set(key, [key, [value]]);
}

function unescapeQuery(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** URLs. Follows apiserver pkg/cel/library/urls.go. */
export const urlFunctions: readonly FunctionRow[] = [
  ['url', url, convertCost],
  ['isURL', isUrl, unitCost],
  ['getScheme', onBox('url', ({ scheme }) => scheme), unitCost],
  ['getHost', onBox('url', ({ host }) => host), unitCost],
  ['getHostname', onBox('url', ({ host }) => urlHostname(host)), unitCost],
  ['getPort', onBox('url', ({ host }) => urlPort(host)), unitCost],
  ['getEscapedPath', onBox('url', ({ path }) => path), unitCost],
  ['getQuery', onBox('url', ({ query }) => parseQuery(query)), unitCost],
];

/** A URL that is absolute or begins with a slash, or Go's error. Follows go src/net/url/url.go ParseRequestURI. */
export function parseUrl(text: string): Url | string {
  const parsed = parseParts(text);
  return typeof parsed === 'string' ? `parse ${goQuote(text)}: ${parsed}` : parsed;
}

function parseParts(text: string): Url | string {
  // oxlint-disable-next-line no-control-regex -- they are what it looks for
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  const scheme = readScheme(text);
  if (scheme === 'missing') return 'missing protocol scheme';
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const question = rest.indexOf('?');
  const query = question < 0 ? '' : rest.slice(question + 1);
  const hierarchy = question < 0 ? rest : rest.slice(0, question);
  if (!hierarchy.startsWith('/')) return opaque(text, scheme, query) ?? 'invalid URI for request';
  return parseHierarchy({ text, scheme, query }, hierarchy);
}

function parseHierarchy(
  { text, scheme, query }: Pick<Url, 'text' | 'scheme' | 'query'>,
  hierarchy: string,
): Url | string {
  const authority = /^\/\/([^/]*)(.*)$/s.exec(hierarchy);
  const withHost = authority !== null && (scheme !== '' || !hierarchy.startsWith('///'));
  const [, userAndHost = '', afterHost = ''] = withHost ? authority : ['', '', hierarchy];
  const host = userAndHost.slice(userAndHost.lastIndexOf('@') + 1);
  const error = hostError(host) ?? escapeError(afterHost);
  return error ?? { text, scheme: scheme.toLowerCase(), host, path: escapedPath(afterHost), query };
}

/** `https`, '' for none, `missing` for a leading colon. */
function readScheme(text: string): string {
  if (text.startsWith(':')) return 'missing';
  return /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
}

const opaque = (text: string, scheme: string, query: string): Url | undefined =>
  scheme === '' ? undefined : { text, scheme: scheme.toLowerCase(), host: '', path: '', query };

function hostError(host: string): string | undefined {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) return "missing ']' in host";
    return portError(host.slice(end + 1));
  }
  const colon = host.lastIndexOf(':');
  const port = colon < 0 ? undefined : portError(host.slice(colon));
  const invalid = /[^\p{L}\p{N}\-._~!$&'()*+,;=:[\]<>"%]/u.exec(host);
  return port ?? (invalid === null ? escapeError(host) : `invalid character ${goQuote(invalid[0])} in host name`);
}

const portError = (port: string): string | undefined =>
  port === '' || /^:\d*$/.test(port) ? undefined : `invalid port ${goQuote(port)} after host`;

function escapeError(text: string): string | undefined {
  const invalid = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(text);
  return invalid === null ? undefined : `invalid URL escape ${goQuote(invalid[0])}`;
}

/** The path as it was written when that is a valid encoding, else encoded afresh. */
function escapedPath(path: string): string {
  if (/^[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]%]*$/.test(path)) return path;
  const bytes = new TextEncoder().encode(path);
  let encoded = '';
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    if (byte === percentSign) {
      byte = Number.parseInt(String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0), 16);
      at += 2;
    }
    encoded += escaped[byte] ?? '';
  }
  return encoded;
}

const percentSign = 0x25;

/** The bytes of a path, percent-encoded where necessary. */
const escaped = Array.from({ length: 256 }, (_none, byte) => {
  const char = String.fromCharCode(byte);
  if (/[A-Za-z0-9\-._~$&+,/:;=@]/.test(char)) return char;
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});
