import type { ApiCall } from '../../testing/stubs/api-fault.ts';
import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import { requestInfoOf } from '../../apiserver/request/request-info.ts';

/** The fields that API faults match; undefined for a path without a resource, such as discovery. */
export function apiCallOf({ method, path, query }: ApiRequest): ApiCall | undefined {
  const info = requestInfoOf(method, path, query);
  if (info.type !== 'resource') return undefined;
  return info.verb === 'watch' ? { ...info, resumesFrom: resumedVersion(query) } : info;
}

/** Only a watch without initial events needs the changes since its resourceVersion. */
function resumedVersion(query: URLSearchParams): string {
  const version = query.get('resourceVersion') ?? '';
  return version === '0' || query.get('sendInitialEvents') === 'true' ? '' : version;
}
