import { readGoBool } from '../../machinery/go/go-bool.ts';
import type { ApiRequest } from '../../apiserver/request/api-request.ts';

/** By parameter, or for people at a terminal. Follows apiserver pkg/endpoints/handlers/negotiation/negotiate.go isPrettyPrint. */
export function wantsPretty({ query, headers }: ApiRequest): boolean {
  const asked = query.get('pretty');
  if (asked) return readGoBool(asked) === true;
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(String(headers['user-agent'] ?? ''));
}
