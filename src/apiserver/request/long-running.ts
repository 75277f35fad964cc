import type { RequestInfo } from './request-info.ts';

const longVerbs = new Set(['watch', 'proxy']);
const longSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Follows apiserver pkg/server/filters/longrunning.go BasicLongRunningRequestCheck. */
export const isLongRunning = (info: RequestInfo): boolean =>
  longVerbs.has(info.verb) ||
  (info.type === 'resource' ? longSubresources.has(info.subresource) : info.path.startsWith('/debug/pprof/'));
