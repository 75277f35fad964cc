import { digestOf } from '../../explain/render/digest.ts';
import { configurationHistory } from '../../explain/trace/configuration-history.ts';
import { coverageOf } from '../../explain/trace/coverage.ts';
import { type NumberedSummary, summaryOf } from '../../explain/trace/trace-summary.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import type { PlaygroundAnswer, PlaygroundResult } from '../../app/playground/protocol.ts';
import type { PageSource } from '../page-source.ts';

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
  const byId = new Map(traces.map((trace) => [trace.id, trace]));
  const summaries = traces.map((trace, at) => ({ ...summaryOf(trace), sequence: at + 1 }));
  return {
    source: {
      title: 'playground',
      isLive: false,
      canReveal: false,
      trace: async (id) => byId.get(id),
      digests: async (ids) =>
        new Map(
          ids.flatMap((id) => {
            const trace = byId.get(id);
            return trace ? [[id, digestOf(trace)] as const] : [];
          }),
        ),
      coverage: async () => coverageOf(traces),
      configurations: async () => configurationHistory(traces),
      listen: ({ heard, connection }) => {
        connection('file');
        heard(summaries);
        return () => {};
      },
    },
    requests: summaries.toReversed(),
  };
}

/** Both releases give their requests the same ids. */
const tracesOf = (answer: PlaygroundAnswer | undefined, suffix: string): readonly Trace[] =>
  answer?.trace ? [{ ...answer.trace, id: `${answer.trace.id}${suffix}` }] : [];
