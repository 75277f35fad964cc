import type { ApiRequest, ApiResponse } from '../request/api-request.ts';

const checks = ['ping', 'log', 'etcd'];

/** The checks each endpoint runs, by path. Here all pass as soon as the server listens. */
const endpoints: ReadonlyMap<string, readonly string[]> = new Map([
  ['/healthz', checks],
  ['/livez', checks],
  ['/readyz', [...checks, 'etcd-readiness', 'informer-sync', 'shutdown']],
]);

/**
 * `/healthz`, `/livez`, `/readyz` and one check of each as a subpath; undefined for any other path.
 * Follows apiserver pkg/server/healthz/healthz.go.
 */
export function serveHealth({ path, query }: ApiRequest): ApiResponse | undefined {
  const [, endpoint = '', check] = /^(\/[a-z]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const all = endpoints.get(endpoint);
  if (all === undefined) return undefined;
  if (check !== undefined) return all.includes(check) ? oneCheck : undefined;
  if (!query.has('verbose')) return text('ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = all.map((name) => (excluded.has(name) ? `[+]${name} excluded: ok\n` : `[+]${name} ok\n`));
  return text(`${lines.join('')}${endpoint.slice(1)} check passed\n`);
}

export const healthPaths: readonly string[] = [...endpoints].flatMap(([endpoint, names]) => [
  endpoint,
  ...names.map((name) => `${endpoint}/${name}`),
]);

/** A single check is answered without the header that all together have. Follows apiserver pkg/server/healthz/healthz.go. */
const oneCheck: ApiResponse = { type: 'document', code: 200, contentType: 'text/plain; charset=utf-8', body: 'ok' };

const text = (body: string): ApiResponse => ({
  type: 'document',
  code: 200,
  contentType: 'text/plain; charset=utf-8',
  body,
  headers: { 'x-content-type-options': 'nosniff' },
});
