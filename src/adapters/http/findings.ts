import { createDigests } from '../../explain/findings/digest.ts';
import type { Digest } from '../../explain/findings/digest.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { yieldIfLong } from './yield-if-long.ts';

/** What is told of requests in lists: asked for in the process, and over the API. */
export interface Findings {
  readonly digest: (id: string) => Digest | undefined;
  readonly serve: ReturnType<typeof serveFindings>;
}

export function createFindings(get: (id: string) => Trace | undefined): Findings {
  const digest = createDigests(get);
  return { digest, serve: serveFindings(digest) };
}

const mostAsked = 200;

/**
 * `/kadmit/v1/findings?id=…`: who refused the requests with these Audit-Ids, and what was found, in the order of the ids; what
 * was forgotten is left out. One at a time, so that requests that come meanwhile are not kept waiting. undefined for any other path.
 */
export const serveFindings =
  (digest: (id: string) => Digest | undefined) =>
  ({ method, path, query }: ApiRequest): ApiResponse | undefined =>
    method === 'GET' && path === '/kadmit/v1/findings'
      ? {
          type: 'document',
          code: 200,
          contentType: 'application/json',
          body: digests(query.getAll('id').slice(0, mostAsked), digest),
        }
      : undefined;

async function* digests(ids: readonly string[], digest: (id: string) => Digest | undefined): AsyncIterable<string> {
  yield '{"items":[';
  let separator = '';
  for (const id of ids) {
    const found = digest(id);
    if (found) yield `${separator}${JSON.stringify(found)}`;
    if (found) separator = ',';
    await yieldIfLong();
  }
  yield ']}';
}
