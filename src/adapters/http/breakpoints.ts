import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { failure } from '../../machinery/meta/status.ts';
import { type BreakpointReading, type Breakpoints, parseBreakpoint } from '../breakpoints/breakpoints.ts';
import { jsonResponse, readJsonBody } from './json-body.ts';
import type { UiBreakpoints } from './page/page-sources.ts';

const root = '/kadmit/v1/breaks';

interface BreakpointResponse {
  readonly code: number;
  readonly body: JsonObject;
}

const listBreakpoints = (breaks: Breakpoints): JsonObject => {
  const { breaks: on, held } = breaks.list();
  return { breaks: on.map((one) => ({ ...one })), held };
};

/**
 * `GET /kadmit/v1/breaks` lists breakpoints and paused requests, POST sets breakpoints; `POST
 * /kadmit/v1/breaks/held/ID` resumes a request. undefined for any other path. Called for authorized requests.
 */
export const serveBreakpoints =
  (breaks: Breakpoints) =>
  (request: ApiRequest, user: { readonly username: string }): Promise<ApiResponse> | undefined =>
    request.path === root || request.path.startsWith(`${root}/`) ? answer(breaks, request, user.username) : undefined;

async function answer(breaks: Breakpoints, request: ApiRequest, by: string): Promise<ApiResponse> {
  const { method, path } = request;
  if (method === 'GET' && path === root) return jsonResponse(listBreakpoints(breaks));
  const { code, body } = await actOnRequest(breaks, request, by);
  return jsonResponse(body, code);
}

async function actOnRequest(breaks: Breakpoints, request: ApiRequest, by: string): Promise<BreakpointResponse> {
  const { method, path } = request;
  if (method !== 'POST') return refuseRequest({ code: 405, problem: `${method} ${path}: GET ${root} or POST` });
  const reading = readJsonBody(request);
  return reading.outcome === 'unreadable'
    ? refuseRequest({ code: 400, problem: reading.problem })
    : changeBreakpoints(breaks, path, reading.value, by);
}

/** For the UI, whose user has no name. */
export const uiBreakpoints = (breaks: Breakpoints): UiBreakpoints => ({
  state: () => listBreakpoints(breaks),
  act: (path, body) => changeBreakpoints(breaks, path, body, 'the page'),
  onChanged: breaks.subscribe,
});

/** `by` is the user. */
async function changeBreakpoints(
  breaks: Breakpoints,
  path: string,
  json: JsonValue,
  by: string,
): Promise<BreakpointResponse> {
  if (path === root) return switchBreakpoints(breaks, json);
  const id = path.startsWith(`${root}/held/`) ? path.slice(`${root}/held/`.length) : undefined;
  if (id === undefined) return refuseRequest({ code: 404, problem: `there is nothing to post to at ${path}` });
  const resumed = await breaks.resume(id, json, by);
  switch (resumed.outcome) {
    case 'resumed':
      return { code: 200, body: listBreakpoints(breaks) };
    case 'unknown':
      return refuseRequest({ code: 404, problem: `no request ${JSON.stringify(id)} is held: GET ${root} lists them` });
    case 'wrong':
      return refuseRequest({ code: 400, problem: resumed.problem });
  }
}

function switchBreakpoints(breaks: Breakpoints, json: JsonValue): BreakpointResponse {
  const { on, off } = isJsonObject(json) ? json : {};
  if ((on === undefined) === (off === undefined)) return refuseRequest({ code: 400, problem: `give ${examples}` });
  const reading = readTexts(on ?? off ?? null);
  if (reading.outcome === 'wrong') return refuseRequest({ code: 400, problem: reading.problem });
  if (on === undefined) breaks.switchOff(reading.points);
  else breaks.switchOn(reading.points);
  return { code: 200, body: listBreakpoints(breaks) };
}

const examples = '{"on":"NAME[:before|:after|:both]"} or {"off":"NAME[:before|:after|:both]"}';

function readTexts(value: JsonValue): BreakpointReading {
  if (typeof value !== 'string') return { outcome: 'wrong', problem: `give ${examples}` };
  const reading = parseBreakpoint(value);
  return reading.outcome === 'read'
    ? reading
    : { outcome: 'wrong', problem: `${JSON.stringify(value)} ${reading.problem}` };
}

interface Problem {
  readonly code: 400 | 404 | 405;
  readonly problem: string;
}

const reasons = { 400: 'BadRequest', 404: 'NotFound', 405: 'MethodNotAllowed' } as const;

const refuseRequest = ({ code, problem }: Problem): BreakpointResponse => ({
  code,
  body: failure({ code, reason: reasons[code], message: problem }),
});
