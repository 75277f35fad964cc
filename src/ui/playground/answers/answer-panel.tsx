import { useEffect, useMemo, useState } from 'preact/hooks';
import { yamlLines } from '../../../explain/trace/object-diff.ts';
import type { PlaygroundAnswer, PlaygroundResult } from '../../../app/playground/protocol.ts';
import { RequestDetail } from '../../panes/request-detail.tsx';
import { parseRoute } from '../../route.ts';
import { durationText, plural } from '../../words.ts';
import type { PlaygroundModel } from '../use-playground.ts';
import { AnswerList } from './answer-list.tsx';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import type { PageSource } from '../../page-source.ts';
import { numberSummaries, createTracesSource } from '../../traces-source.ts';

export interface AnswerPanelProps {
  readonly model: PlaygroundModel;
  /** The offset of the cursor in the requests; undefined before the reader was there. */
  readonly cursor: number | undefined;
  readonly onStep: (from: number) => void;
}

/** The answers of the last run, and the explanation of one of them. */
export function AnswerPanel({ model, cursor, onStep }: AnswerPanelProps) {
  const { result, isOutdated, isRunning, texts, revision } = model;
  const [selected, setSelected] = useState<number | undefined>(undefined);
  useEffect(() => setSelected(undefined), [revision]);
  const answers = result?.answers ?? noAnswers;
  const compared = result?.compared ?? noAnswers;
  useEffect(() => {
    if (cursor === undefined) return;
    const at = answers.findLastIndex(({ from }) => from <= cursor);
    if (at !== -1) setSelected(at);
  }, [cursor]);
  const traced = useMemo(() => listTracedAnswers({ answers, compared }), [answers, compared]);
  const at = Math.min(selected ?? mostRelevant(answers), answers.length - 1);
  const answer = answers[at];
  return (
    <section
      class={isOutdated ? 'answer-side is-outdated' : 'answer-side'}
      aria-label="Answers"
      aria-busy={isRunning}
      onClick={(event) => {
        const linked = findLinkedAnswer(event, answers);
        if (linked !== -1) setSelected(linked);
      }}
    >
      <p class={isRunning ? 'run-state is-running' : 'run-state'} role="status">
        {stateText(model)}
      </p>
      <AnswerList
        answers={answers}
        compared={compared}
        releases={{ own: texts.release, other: texts.compareWith }}
        selected={at}
        onSelect={setSelected}
        onStep={onStep}
      />
      {answer?.trace && (
        <RequestDetail
          source={traced.source}
          id={answer.trace.id}
          reveal={false}
          hasChain={false}
          requests={traced.requests}
        />
      )}
      {answer && !answer.trace && <StoredObject answer={answer} />}
    </section>
  );
}

/** Links between related requests are addresses of the page of `kadmit serve`. Returns -1 for another click. */
function findLinkedAnswer(event: MouseEvent, answers: readonly PlaygroundAnswer[]): number {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#/requests/"]') : null;
  if (link === null) return -1;
  event.preventDefault();
  const { id } = parseRoute(link.getAttribute('href') ?? '');
  return answers.findIndex(({ trace }) => trace?.id === id);
}

const noAnswers: readonly PlaygroundAnswer[] = [];

/** The first refusal or failed expectation, otherwise the last answer. */
function mostRelevant(answers: readonly PlaygroundAnswer[]): number {
  const at = answers.findIndex(({ code, failures }) => code >= 400 || failures.length > 0);
  return at === -1 ? answers.length - 1 : at;
}

function stateText({ isRunning, isOutdated, result }: PlaygroundModel): string {
  if (result === undefined) return isRunning ? 'Starting the API server in this tab …' : 'Not run';
  if (isRunning) return 'Running …';
  if (isOutdated) return 'The editors have errors; these are the results of the last run';
  const { answers, milliseconds } = result;
  return answers.length === 0
    ? 'No requests: write one in the tab Requests'
    : `${plural(answers.length, 'request')} in ${durationText(milliseconds)}`;
}

/** What a read answered. */
const StoredObject = ({ answer: { object, title } }: { readonly answer: PlaygroundAnswer }) => (
  <section class="detail" aria-label={title}>
    <div class="detail-body">
      {object === undefined ? (
        <p class="empty">This step has no webhook or policy.</p>
      ) : (
        <pre class="yaml" tabIndex={0}>
          {yamlLines(object).join('\n')}
        </pre>
      )}
    </div>
  </section>
);

interface TracedAnswers {
  readonly source: PageSource;
  /** Newest first. */
  readonly requests: readonly NumberedSummary[];
}

/** Each answer follows the one of the other release, so that the two are compared first. */
function listTracedAnswers({ answers, compared }: Pick<PlaygroundResult, 'answers' | 'compared'>): TracedAnswers {
  const traces = answers.flatMap((answer, at) => [
    ...listTraces(compared[at], ' in the other release'),
    ...listTraces(answer, ''),
  ]);
  return { source: createTracesSource('playground', traces), requests: numberSummaries(traces).toReversed() };
}

/** Both releases give their requests the same ids. */
const listTraces = (answer: PlaygroundAnswer | undefined, suffix: string): readonly Trace[] =>
  answer?.trace ? [{ ...answer.trace, id: `${answer.trace.id}${suffix}` }] : [];
