import { plainText } from './api-request.ts';
import type { UserInfo } from '../auth/user.ts';
import type { RequestInfo } from './request-info.ts';

export interface InFlightLimits {
  readonly reads: number;
  readonly writes: number;
}

/** Returns the release function; undefined: too many requests. */
export type EnterInFlight = (info: RequestInfo, user: UserInfo) => (() => void) | undefined;

const longVerbs = new Set(['watch', 'proxy']);
const longSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);
const readVerbs = new Set(['get', 'list', 'watch']);

/** Follows apiserver pkg/server/filters/longrunning.go BasicLongRunningRequestCheck. */
export const isLongRunning = (info: RequestInfo): boolean =>
  longVerbs.has(info.verb) ||
  (info.type === 'resource' ? longSubresources.has(info.subresource) : info.path.startsWith('/debug/pprof/'));

/**
 * Long-running requests are not counted, system:masters not limited. Follows apiserver
 * pkg/server/filters/maxinflight.go.
 */
export function createInFlight({ reads, writes }: InFlightLimits): EnterInFlight {
  const inFlight = { reads: 0, writes: 0 };
  return (info, user) => {
    if (isLongRunning(info)) return leaveUncounted;
    const kind = readVerbs.has(info.verb) ? 'reads' : 'writes';
    const max = kind === 'reads' ? reads : writes;
    if (max === 0) return leaveUncounted;
    if (inFlight[kind] >= max) return user.groups.includes('system:masters') ? leaveUncounted : undefined;
    inFlight[kind] += 1;
    return () => {
      inFlight[kind] -= 1;
    };
  };
}

const leaveUncounted = (): void => {};

/** Follows apiserver pkg/server/filters/priority-and-fairness.go tooManyRequests. */
export const tooManyInFlight = plainText(429, 'Too many requests, please try again later.\n', { 'retry-after': '1' });
