import { hasTooManyValues, tooManyValuesText } from '../../machinery/json/most-values.ts';
import { requestEntityTooLarge } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';

/** Refuses a JSON body, before it is read, that holds more values than anybody means to send. */
export const tooManyValues = (body: Uint8Array): Status | undefined =>
  hasTooManyValues(body) ? requestEntityTooLarge(tooManyValuesText) : undefined;
