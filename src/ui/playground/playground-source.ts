import type { NumberedSummary } from '../../explain/trace/trace-summary.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import type { PlaygroundAnswer, PlaygroundResult } from '../../app/playground/protocol.ts';
import type { PageSource } from '../page-source.ts';
import { numberedSummaries, tracesSource } from '../traces-source.ts';

export interface TracedAnswers {
  readonly source: PageSource;
  /** Newest first. */
  readonly requests: readonly NumberedSummary[];
}

/** Each answer follows the one of the other release, so that the two are compared first. */
export function tracedAnswers({ answers, compared }: Pick<PlaygroundResult, 'answers' | 'compared'>): TracedAnswers {
  const traces = answers.flatMap((answer, at) => [
    ...tracesOf(compared[at], ' in the other release'),
    ...tracesOf(answer, ''),
  ]);
  return { source: tracesSource('playground', traces), requests: numberedSummaries(traces).toReversed() };
}

/** Both releases give their requests the same ids. */
const tracesOf = (answer: PlaygroundAnswer | undefined, suffix: string): readonly Trace[] =>
  answer?.trace ? [{ ...answer.trace, id: `${answer.trace.id}${suffix}` }] : [];
