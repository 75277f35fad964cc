import { hasTooManyValues, tooManyValuesText } from '../apimachinery/most-values.ts';
import { requestEntityTooLarge } from '../apimachinery/status.ts';
import type { Status } from '../apimachinery/status.ts';

/** Refuses a JSON body, before it is read, that holds more values than anybody means to send. */
export const tooManyValues = (body: Uint8Array): Status | undefined =>
  hasTooManyValues(body) ? requestEntityTooLarge(tooManyValuesText) : undefined;
