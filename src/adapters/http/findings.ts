import { createDigests } from '../../explain/findings/digest.ts';
import type { Digest } from '../../explain/findings/digest.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { yieldIfLong } from './yield-if-long.ts';

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
 * `/kadmit/v1/findings?id=…`: refusals and findings of the requests with these Audit-Ids, in the order of the ids;
 * unknown ids are left out. Yields between items. undefined for any other path.
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
