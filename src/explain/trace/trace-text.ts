import { bigintAsText } from '../../machinery/json/bigint-replacer.ts';
import type { Trace } from './trace.ts';

/** The document as JSON. An integer beyond 2^53 stands there as a string of its digits: no JSON reader may round it. */
export const traceText = (trace: Trace): string => JSON.stringify(trace, bigintAsText);
