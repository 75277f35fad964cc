import { asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { badRequest } from '../../machinery/meta/status.ts';
import { normalizeMappingSource, readMapping } from '../../adapters/config/mapping.ts';
import { jsonResponse, readJsonBody, statusResponse } from '../../adapters/http/json-body.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Mappings } from '../../adapters/webhook-client/mappings.ts';

const path = '/kadmit/v1/map';

type MapRequest = Pick<ApiRequest, 'method' | 'path' | 'body'>;

/**
 * `/kadmit/v1/map`: GET lists the mappings, POST `{"set":"FROM=URL"}` (optionally with its `program`) and `{"remove":"FROM"}` change them.
 * undefined for any other path.
 */
export const serveMap =
  (mappings: Mappings) =>
  (request: MapRequest): ApiResponse | undefined => {
    if (request.path !== path) return undefined;
    if (request.method === 'GET') return listMappings(mappings);
    return request.method === 'POST' ? changeMappings(request, mappings) : undefined;
  };

const listMappings = (mappings: Mappings): ApiResponse => jsonResponse({ map: mappings.list() });

const refuseRequest = (problem: string): ApiResponse => statusResponse(badRequest(problem));

function changeMappings(request: MapRequest, mappings: Mappings): ApiResponse {
  const reading = readJsonBody(request);
  if (reading.outcome === 'unreadable') return refuseRequest(reading.problem);
  const { value } = reading;
  const problem = isJsonObject(value) ? applyChange(value, mappings) : 'send {"set":"FROM=URL"} or {"remove":"FROM"}';
  return problem === undefined ? listMappings(mappings) : refuseRequest(problem);
}

/** Returns the problem. */
function applyChange({ set, remove, program }: JsonObject, mappings: Mappings): string | undefined {
  if ((set === undefined) === (remove === undefined)) return 'send {"set":"FROM=URL"} or {"remove":"FROM"}';
  if (set === undefined) {
    const from = normalizeMappingSource(asString(remove));
    return from !== undefined && mappings.remove(from) ? undefined : `there is no entry ${asString(remove)}`;
  }
  const reading = readMapping(asString(set));
  if (reading.outcome === 'wrong') return `${JSON.stringify(set)} ${reading.problem}`;
  if (mappings.list().length >= max) return `there are ${max} entries already`;
  const description = asString(program).slice(0, maxProgramLength);
  mappings.set({ ...reading.mapping, ...(description === '' ? {} : { program: description }) });
  return undefined;
}

const max = 1000;
const maxProgramLength = 200;
