import { renderExplanation as explainTrace } from '../../explain/render/explain.ts';
import type { Trace } from '../../explain/trace/trace.ts';

/** The text of `kadmit explain`, for the message of a failed assertion. */
export const explain = (trace: Trace): string => explainTrace(trace);
