import type { Place } from '../format.ts';
import type { TestRun } from './test-run.ts';
import { failureLines } from './failure-text.ts';
import { titleOf } from './test-run.ts';

/** One thing to be seen at one place of a file. */
export interface Finding {
  /** What kind: `deniedBy`, `webhooks.patch`, `set-up`, `format`. */
  readonly rule: string;
  readonly title: string;
  readonly message: string;
  readonly place: Place;
}

/** Everything that went wrong in a run, for reports that point at lines. */
export const findingsOf = ({ outcomes, unreadable }: TestRun): readonly Finding[] => [
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
      title: `${titleOf(outcome)} cannot be run`,
      message: problem.message,
      place: problem.place ?? { file: scenario.file, line: 1, column: 1 },
    };
    const failed = steps.flatMap((step) =>
      step.failures.map((failure) => ({
        rule: ruleOf(failure.what),
        title: `${titleOf(outcome)}: ${step.name}`,
        message: failureLines(failure).join('\n'),
        place: failure.place,
      })),
    );
    return [...(setUp ? [setUp] : []), ...failed];
  }),
];

/** `webhooks[1].patch` as `webhooks.patch`, `golden pod.golden.yaml` as `golden`. */
const ruleOf = (what: string): string => what.split(' ')[0]?.replaceAll(/\[[^\]]*\]/g, '') || 'outcome';
