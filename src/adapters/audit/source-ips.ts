import type { ApiRequest } from '../../apiserver/request/api-request.ts';

/**
 * Where a request came from: what the proxies before us say, then the other end of the connection.
 * Follows apimachinery pkg/util/net/http.go SourceIPs.
 */
export function sourceIps({
  headers,
  remoteAddress,
}: Pick<ApiRequest, 'headers' | 'remoteAddress'>): readonly string[] {
  const forwarded = textOf(headers['x-forwarded-for'])
    .split(',')
    .map((part) => part.trim())
    .filter(isAddress);
  const real = textOf(headers['x-real-ip']).trim();
  const told = isAddress(real) && !forwarded.includes(real) ? [...forwarded, real] : forwarded;
  const peer = (remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  return peer === '' || told.at(-1) === peer ? told : [...told, peer];
}

const textOf = (header: string | readonly string[] | undefined): string =>
  header === undefined ? '' : typeof header === 'string' ? header : header.join(',');

const isAddress = (text: string): boolean =>
  /^[\d.]+$/.test(text) || (text.includes(':') && /^[\da-fA-F:.]*$/.test(text));
