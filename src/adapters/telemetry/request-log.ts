import type { Finished } from '../../apiserver/request/handle.ts';
import type { Log } from './log.ts';
import { responseCode } from '../../apiserver/request/response-code.ts';
import { shownTarget } from './shown-target.ts';

/** The verbosity from which every request is a line. */
export const requestVerbosity = 3;

/** A line for every finished request. Follows apiserver pkg/server/httplog/httplog.go. */
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
