import { bigintAsText } from '../apimachinery/bigint-replacer.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { shownJsonInSteps } from '../apimachinery/json-in-steps.ts';
import type { Steps } from '../apimachinery/pause.ts';
import type { Trace } from './trace.ts';

/** The document as JSON. An integer beyond 2^53 stands there as a string of its digits: no JSON reader may round it. */
export const traceText = (trace: Trace): string => JSON.stringify(trace, bigintAsText);

/** The same in pieces: one may have thousands of webhooks, and an object of megabytes three times. */
export function traceInSteps(trace: Trace): Steps<readonly string[]> {
  const document: unknown = trace;
  return shownJsonInSteps(document as JsonObject); // It holds nothing but JSON.
}
