import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import type { Status } from '../../machinery/meta/status.ts';

type BodyReading =
  | { readonly outcome: 'read'; readonly value: JsonValue }
  | { readonly outcome: 'unreadable'; readonly problem: string };

/** The body of a request to kadmit's own API. */
export function readJsonBody({ body }: Pick<ApiRequest, 'body'>): BodyReading {
  const reading = readJson(new TextDecoder().decode(body));
  return reading.outcome === 'read'
    ? { outcome: 'read', value: plainValue(reading.json.value) }
    : { outcome: 'unreadable', problem: `the body is no JSON: ${reading.error}` };
}

/** One line of JSON. */
export const jsonResponse = (value: object, code = 200): ApiResponse => ({
  type: 'document',
  code,
  contentType: 'application/json',
  body: `${JSON.stringify(value)}\n`,
});

export const statusResponse = (status: Status): ApiResponse => ({ type: 'status', status, warnings: [] });
