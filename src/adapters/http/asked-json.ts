import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import type { JsonReading } from '../../machinery/json/json-reader.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import type { ApiRequest } from '../../apiserver/request/api-request.ts';

type AskedJson =
  | { readonly outcome: 'read'; readonly value: JsonValue }
  | { readonly outcome: 'unreadable'; readonly problem: string };

/** The JSON that a request to kadmit's own paths brings. */
export const askedJson = ({ body }: Pick<ApiRequest, 'body'>): AskedJson =>
  asked(readJson(new TextDecoder().decode(body)));

const asked = (reading: JsonReading): AskedJson =>
  reading.outcome === 'read'
    ? { outcome: 'read', value: plainValue(reading.json.value) }
    : { outcome: 'unreadable', problem: `the body is no JSON: ${reading.error}` };
