import { renderExplanation as explainTrace } from '../../explain/render/explain.ts';
import type { Trace } from '../../explain/trace/trace.ts';

/**
 * What happened to a write, in words: the verdict and its cause first, then every webhook with the clause that had it
 * called or left out. The text that `kadmit explain` prints, for the message of a failed assertion.
 */
export const explain = (trace: Trace): string => explainTrace(trace);
