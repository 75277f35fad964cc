import type { PlaygroundProblem, PlaygroundTexts } from '../../../app/playground/protocol.ts';
import { plural } from '../../words.ts';
import { tabs } from './editor.tsx';

export interface ProblemListProps {
  readonly problems: readonly PlaygroundProblem[];
  readonly texts: PlaygroundTexts;
  readonly onProblem: (problem: PlaygroundProblem) => void;
}

const tones = { error: 'bad', warning: 'warn', info: 'quiet' } as const;

/** All problems of the three texts; a click goes to its position. */
export const ProblemList = ({ problems, texts, onProblem }: ProblemListProps) => (
  <details class="problems" open={problems.length > 0} aria-label="Problems">
    <summary role="status">{problems.length === 0 ? 'No problems' : plural(problems.length, 'problem')}</summary>
    <ul>
      {problems.map((problem, at) => (
        <li key={at}>
          <button type="button" class={`problem tone-${tones[problem.severity]}`} onClick={() => onProblem(problem)}>
            <span class="problem-sign" title={problem.severity} aria-label={problem.severity} role="img" />
            <span class="problem-text">
              {problem.message} <span class="quiet">{problem.code}</span>
            </span>
            <span class="problem-place quiet">{positionText(problem, texts)}</span>
          </button>
        </li>
      ))}
    </ul>
  </details>
);

/** `Objects 12:3`. */
function positionText({ tab, from }: PlaygroundProblem, texts: PlaygroundTexts): string {
  const before = texts[tab].slice(0, from).split('\n');
  const title = tabs.find(([name]) => name === tab)?.[1] ?? tab;
  return `${title} ${before.length}:${(before.at(-1) ?? '').length + 1}`;
}
