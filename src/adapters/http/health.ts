import { goQuote } from '../../machinery/meta/field-error.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';

const checks = ['ping', 'log', 'etcd'];

/** The checks each endpoint runs, by path. Here all pass as soon as the server listens. */
const endpoints: ReadonlyMap<string, readonly string[]> = new Map([
  ['/healthz', checks],
  ['/livez', checks],
  ['/readyz', [...checks, 'etcd-readiness', 'informer-sync', 'shutdown']],
]);

/**
 * `/healthz`, `/livez`, `/readyz` and one check of each as a subpath; undefined for any other path. A server that was told to stop
 * goes on for a while, and is not ready. Follows apiserver pkg/server/healthz/healthz.go.
 */
export const serveHealth =
  (isStopping: () => boolean = () => false) =>
  ({ path, query }: ApiRequest): ApiResponse | undefined => {
    const [, endpoint = '', check] = /^(\/[a-z]+)(?:\/([^/]+))?$/.exec(path) ?? [];
    const all = endpoints.get(endpoint);
    if (all === undefined) return undefined;
    const hasFailed = (name: string): boolean => name === 'shutdown' && isStopping();
    if (check !== undefined) {
      if (!all.includes(check)) return undefined;
      return hasFailed(check) ? text('internal server error: process is shutting down\n', 500) : oneCheck;
    }
    const excluded = new Set(query.getAll('exclude'));
    const lines = all.map((name) => {
      if (excluded.has(name)) return `[+]${name} excluded: ok\n`;
      return hasFailed(name) ? `[-]${name} failed: reason withheld\n` : `[+]${name} ok\n`;
    });
    const told = `${lines.join('')}${warningOf([...excluded].filter((name) => !all.includes(name)))}${endpoint.slice(1)}`;
    if (all.some((name) => hasFailed(name) && !excluded.has(name))) return text(`${told} check failed\n`, 500);
    return query.has('verbose') ? text(`${told} check passed\n`) : text('ok');
  };

/** Of checks that are to be left out and are not there. */
const warningOf = (unknown: readonly string[]): string =>
  unknown.length === 0
    ? ''
    : `warn: some health checks cannot be excluded: no matches for ${unknown.toSorted().map(goQuote).join(',')}\n`;

export const healthPaths: readonly string[] = [...endpoints].flatMap(([endpoint, names]) => [
  endpoint,
  ...names.map((name) => `${endpoint}/${name}`),
]);

/** A single check is answered without the header that all together have. Follows apiserver pkg/server/healthz/healthz.go. */
const oneCheck: ApiResponse = { type: 'document', code: 200, contentType: 'text/plain; charset=utf-8', body: 'ok' };

const text = (body: string, code = 200): ApiResponse => ({
  type: 'document',
  code,
  contentType: 'text/plain; charset=utf-8',
  body,
  headers: { 'x-content-type-options': 'nosniff' },
});
