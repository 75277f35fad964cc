import type { CelOperation } from '../run/frame.ts';
import { box, CelError, onBox, noSuchOverload, type Value } from '../value/value.ts';
import { parseUrl } from './parse-url.ts';
import { convertCost, type FunctionRow, unitCost } from './cel-function.ts';

const url: CelOperation = (text) => {
  if (typeof text !== 'string') return noSuchOverload;
  const parsed = parseUrl(text);
  return typeof parsed === 'string'
    ? new CelError(`URL parse error during conversion from string: ${parsed}`)
    : box('url', parsed);
};

const isUrl: CelOperation = (text) => (typeof text === 'string' ? typeof parseUrl(text) !== 'string' : noSuchOverload);

const hostName = (host: string): string => {
  const bracket = /^\[(.*)\](?::\d*)?$/.exec(host);
  return bracket?.[1] ?? host.replace(/:\d*$/, '');
};

const portOf = (host: string): string => /:(\d*)$/.exec(host.replace(/^\[.*\]/, ''))?.[1] ?? '';

/** What a query says, by key. */
type Query = Map<string, readonly [key: string, values: string[]]>;

/** The query as a map of lists. */
function queryOf(query: string): Value {
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
  ['getHostname', onBox('url', ({ host }) => hostName(host)), unitCost],
  ['getPort', onBox('url', ({ host }) => portOf(host)), unitCost],
  ['getEscapedPath', onBox('url', ({ path }) => path), unitCost],
  ['getQuery', onBox('url', ({ query }) => queryOf(query)), unitCost],
];
