import { useEffect, useRef } from 'preact/hooks';
import type { PlaygroundAnswer } from '../../../app/playground/protocol.ts';
import { durationText } from '../../words.ts';
import { differenceText } from './compared-answers.ts';

export interface AnswerListProps {
  readonly answers: readonly PlaygroundAnswer[];
  /** [] without a second release. */
  readonly compared: readonly PlaygroundAnswer[];
  readonly releases: { readonly own: string; readonly other: string };
  readonly selected: number;
  readonly onSelect: (at: number) => void;
  /** Goes to the step in the requests. */
  readonly onStep: (from: number) => void;
}

/** One entry for each request: what kubectl prints, and which expectations fail. */
export function AnswerList({ answers, compared, releases, selected, onSelect, onStep }: AnswerListProps) {
  const ref = useRef<HTMLOListElement>(null);
  useEffect(() => scrollIntoList(ref.current, ref.current?.children[selected]), [selected, answers]);
  return (
    <ol ref={ref} class="answers" aria-label="Answers">
      {answers.map((answer, at) => (
        <li key={at}>
          <button
            type="button"
            class={`answer ${isRefused(answer) ? 'is-refused' : 'is-admitted'}`}
            aria-current={at === selected ? 'true' : undefined}
            onClick={() => onSelect(at)}
            onDblClick={() => onStep(answer.from)}
            title="Double-click goes to the request"
          >
            <span class="answer-head">
              {answer.code > 0 && <span class="answer-code">{answer.code}</span>}
              <strong class="answer-title">{answer.title}</strong>
              {answer.duration >= 1000 && <span class="quiet">{durationText(answer.duration)}</span>}
            </span>
            <Printed text={answer.printed} />
            {answer.failures.map((failure) => (
              <span key={failure} class="answer-failure">
                {failure}
              </span>
            ))}
            <Difference answer={answer} other={compared[at]} releases={releases} />
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Scrolls the list alone, not the page. */
function scrollIntoList(list: HTMLElement | null, item: Element | undefined): void {
  if (list === null || item === undefined) return;
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

const isRefused = ({ code, failures }: PlaygroundAnswer): boolean => code >= 400 || failures.length > 0;

const Printed = ({ text }: { readonly text: string }) => (
  <code class="printed">
    {text
      .split('\n')
      .filter((line) => line !== '')
      .map((line, at) => (
        <span key={at} class={line.startsWith('Warning:') ? 'line is-warning' : 'line'}>
          {line}
        </span>
      ))}
  </code>
);

interface DifferenceProps extends Pick<AnswerListProps, 'releases'> {
  readonly answer: PlaygroundAnswer;
  readonly other: PlaygroundAnswer | undefined;
}

function Difference({ answer, other, releases }: DifferenceProps) {
  if (other === undefined) return null;
  const text = differenceText(answer, other, releases);
  return text === '' ? (
    <span class="answer-same quiet">the same in {releases.other}</span>
  ) : (
    <span class="answer-difference">
      <strong>{text}</strong>
      {other.printed !== answer.printed && (
        <>
          <span class="quiet">{releases.other}:</span> <Printed text={other.printed} />
        </>
      )}
    </span>
  );
}
