import { findingsOf as findingsIn } from '../../../explain/findings/findings-of.ts';
import { failureCodeOf } from '../outcome.ts';
import type { SourceLocation } from '../format.ts';
import { type TestRun, runTitle } from './test-run.ts';
import { failureLines } from './failure-text.ts';

export interface ReportedFinding {
  /** `deniedBy`, `webhooks.patch`, `set-up`, `format` */
  readonly rule: string;
  /** 'error' by default. */
  readonly level?: 'error' | 'warning' | 'note';
  readonly title: string;
  readonly message: string;
  readonly place: SourceLocation;
}

/** All failures of a run, for reports with places. */
export const runFindings = ({ outcomes, unreadable }: TestRun): readonly ReportedFinding[] => [
  ...unreadable.flatMap(({ file, problems }) =>
    problems.map(({ place, path, message }) => ({
      rule: 'format',
      title: `${file} cannot be read`,
      message: path === '' ? message : `${path}: ${message}`,
      place,
    })),
  ),
  ...outcomes.flatMap((outcome) => {
    const { problem, scenario, steps } = outcome;
    const setUp = problem && {
      rule: 'set-up',
      title: `${runTitle(outcome)} cannot be run`,
      message: problem.message,
      place: problem.place ?? { file: scenario.file, line: 1, column: 1 },
    };
    const failed = steps.flatMap((step) =>
      step.failures.map((failure) => ({
        rule: failureCodeOf(failure.what),
        title: `${runTitle(outcome)}: ${step.name}`,
        message: failureLines(failure).join('\n'),
        place: failure.place,
      })),
    );
    return [...(setUp ? [setUp] : []), ...failed];
  }),
];

/** Findings of requests without notes; those of a passed step are notes: the step may test them. */
export const tracedFindingsOf = ({ outcomes }: TestRun): readonly ReportedFinding[] =>
  outcomes.flatMap((outcome) =>
    outcome.steps.flatMap((step) =>
      (step.trace ? findingsIn(step.trace) : [])
        .filter(({ severity }) => severity !== 'note')
        .map(({ rule, title, evidence, remedy }) => ({
          rule: `finding/${rule}`,
          level: step.outcome === 'passed' ? ('note' as const) : ('warning' as const),
          title: `${runTitle(outcome)}: ${step.name}`,
          message: [title, ...evidence.map(({ text }) => text), remedy].join('\n'),
          place: step.place,
        })),
    ),
  );
