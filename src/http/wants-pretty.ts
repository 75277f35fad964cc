import type { ApiRequest } from '../request/api-request.ts';

/** By parameter, or for people at a terminal. Follows apiserver pkg/endpoints/handlers/negotiation/negotiate.go isPrettyPrint. */
export function wantsPretty({ query, headers }: ApiRequest): boolean {
  const asked = query.get('pretty');
  if (asked) return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(asked);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(String(headers['user-agent'] ?? ''));
}
