import { asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { badRequest } from '../../machinery/meta/status.ts';
import { readMapped, readMapping } from '../../adapters/config/mapping.ts';
import { requestJson } from '../../adapters/http/breakpoints.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Mappings } from '../../adapters/webhook-client/mappings.ts';

const path = '/kadmit/v1/map';

type Asking = Pick<ApiRequest, 'method' | 'path' | 'body'>;

/**
 * `/kadmit/v1/map`: GET tells where Services and hosts of webhooks are led to, POST `{"set":"FROM=URL"}` (with the
 * `program` that listens there) and `{"remove":"FROM"}` change that. undefined for any other path. Authorised before, like any path.
 */
export const serveMap =
  (mappings: Mappings) =>
  (request: Asking): ApiResponse | undefined => {
    if (request.path !== path) return undefined;
    if (request.method === 'GET') return listed(mappings);
    return request.method === 'POST' ? changed(request, mappings) : undefined;
  };

const listed = (mappings: Mappings): ApiResponse => ({
  type: 'document',
  code: 200,
  contentType: 'application/json',
  body: `${JSON.stringify({ map: mappings.list() })}\n`,
});

const refused = (problem: string): ApiResponse => ({ type: 'status', status: badRequest(problem), warnings: [] });

function changed(request: Asking, mappings: Mappings): ApiResponse {
  const asked = requestJson(request);
  if (asked.outcome === 'unreadable') return refused(asked.problem);
  const { value } = asked;
  const problem = isJsonObject(value) ? act(value, mappings) : 'give {"set":"FROM=URL"} or {"remove":"FROM"}';
  return problem === undefined ? listed(mappings) : refused(problem);
}

/** What is wrong with it, if something is. */
function act({ set, remove, program }: JsonObject, mappings: Mappings): string | undefined {
  if ((set === undefined) === (remove === undefined)) return 'give {"set":"FROM=URL"} or {"remove":"FROM"}';
  if (set === undefined) {
    const from = readMapped(asString(remove));
    return from !== undefined && mappings.remove(from) ? undefined : `nothing is mapped from ${asString(remove)}`;
  }
  const reading = readMapping(asString(set));
  if (reading.outcome === 'wrong') return `${JSON.stringify(set)} ${reading.problem}`;
  if (mappings.list().length >= most) return `there are ${most} mappings already`;
  const told = asString(program).slice(0, longestProgram);
  mappings.set({ ...reading.mapping, ...(told === '' ? {} : { program: told }) });
  return undefined;
}

const most = 1000;
const longestProgram = 200;
