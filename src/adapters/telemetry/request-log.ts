import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import type { Finished } from '../../apiserver/request/handle.ts';
import { responseCode } from '../../apiserver/request/response-code.ts';
import type { Log } from './log.ts';

export const requestVerbosity = 3;

/** Follows apiserver pkg/server/httplog/httplog.go. */
export const createRequestLog =
  (log: Log, now: () => number) =>
  ({ request, info, response }: Finished): void => {
    const agent = request.headers['user-agent'];
    log.info(requestVerbosity, 'HTTP', {
      verb: info.verb,
      URI: shownTarget(request),
      latency: `${(now() - request.receivedAt).toFixed(3)}ms`,
      userAgent: typeof agent === 'string' ? agent : '',
      'audit-ID': request.auditId,
      srcIP: request.remoteAddress ?? '',
      resp: responseCode(response),
    });
  };

/** The request target without the command of an exec, which often contains secrets. */
export function shownTarget({ target, path }: Pick<ApiRequest, 'target' | 'path'>): string {
  const [before = '', ...query] = (target ?? path).split('?');
  if (query.length === 0) return before;
  return `${before}?${query.join('?').split('&').map(withoutCommand).join('&')}`;
}

function withoutCommand(pair: string): string {
  const [name] = new URLSearchParams(pair).keys();
  return name === 'command' ? 'command=‹masked›' : pair;
}
