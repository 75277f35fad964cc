import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import type { WireHeaders } from './wire-headers.ts';

/** The headers of an answer that is compressed. */
export function zipped(headers: WireHeaders): WireHeaders {
  const vary = headers['vary'] === undefined ? 'Accept-Encoding' : `${String(headers['vary'])}, Accept-Encoding`;
  return { ...headers, 'content-encoding': 'gzip', vary };
}

export const acceptsGzip = ({ headers }: ApiRequest): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/.test(String(headers['accept-encoding'] ?? ''));
