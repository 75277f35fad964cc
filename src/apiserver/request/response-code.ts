import { type Status, timeoutError } from '../../machinery/meta/status.ts';
import type { ApiResponse } from './api-request.ts';
import type { Exchange } from './exchange.ts';
import type { TimeLimit } from './write-options.ts';

export function responseCode(response: ApiResponse): number {
  switch (response.type) {
    case 'status':
      return response.status.code;
    case 'object':
    case 'document':
      return response.code;
    case 'watch':
      return 200;
  }
}

/**
 * Follows apiserver pkg/server/filters/timeout.go (rule FAIL-44) and pkg/endpoints/handlers/finisher/finisher.go (rule
 * FAIL-43).
 */
export const timeIsUp: Readonly<Record<TimeLimit['by'], Status>> = {
  request: timeoutError('request did not complete within the allotted timeout'),
  handler: timeoutError('request did not complete within requested timeout - context deadline exceeded'),
};

/** undefined before the deadline. */
export const lateRefusal = ({ journal, deadline, deadlineSource }: Exchange): Status | undefined =>
  journal.now() >= deadline.at() ? timeIsUp[deadlineSource] : undefined;
