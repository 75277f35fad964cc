import type { Eventually } from '../apimachinery/eventually.ts';
import { inTurns, stepsInTurns } from '../apimachinery/in-turns.ts';
import { plainValue, readJson } from '../apimachinery/json-reader.ts';
import type { JsonReading } from '../apimachinery/json-reader.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import { textInSteps } from '../apimachinery/text-in-steps.ts';
import type { ApiRequest } from '../request/api-request.ts';

type AskedJson =
  | { readonly outcome: 'read'; readonly value: JsonValue }
  | { readonly outcome: 'unreadable'; readonly problem: string };

/** The JSON that a request to kadmit's own paths brings: of megabytes in turns. */
export const askedJson = ({ body, pause }: Pick<ApiRequest, 'body' | 'pause'>): Eventually<AskedJson> =>
  inTurns(() => asked(readJson(stepsInTurns(() => textInSteps(body)))), pause);

const asked = (reading: JsonReading): AskedJson =>
  reading.outcome === 'read'
    ? { outcome: 'read', value: plainValue(reading.json.value) }
    : { outcome: 'unreadable', problem: `the body is no JSON: ${reading.error}` };
