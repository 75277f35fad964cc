import { goDurationFault, readGoDuration } from '../../machinery/go/go-duration.ts';
import { badRequest } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { ApiRequest } from './api-request.ts';
import { isLongRunning } from './in-flight.ts';
import type { RequestInfo } from './request-info.ts';

/**
 * What is wrong with the `?timeout=` of a request of any verb and path, before anybody asks who sends it; what takes long
 * by its nature has none. Follows apiserver pkg/endpoints/filters/request_deadline.go parseTimeout.
 */
export function timeoutFault({ query }: Pick<ApiRequest, 'query'>, info: RequestInfo): Status | undefined {
  if (query.size === 0 || isLongRunning(info)) return undefined;
  const text = query.get('timeout') ?? '';
  if (text === '' || readGoDuration(text) !== undefined) return undefined;
  return badRequest(`invalid timeout specified in the request URL - ${goDurationFault(text)}`);
}
