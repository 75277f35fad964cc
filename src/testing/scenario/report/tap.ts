import { stringify } from 'yaml';
import type { ScenarioOutcome, StepOutcome } from '../outcome.ts';
import { problemLines } from '../read/problems.ts';
import { explanationLines } from './failure-text.ts';
import { type TestRun, runTitle } from './test-run.ts';

/** TAP 14: a test per scenario, a subtest per step. https://testanything.org/tap-version-14-specification.html */
export function tapReport({ outcomes, unreadable }: TestRun): string {
  const count = outcomes.length + unreadable.length;
  const lines = [
    ...unreadable.flatMap(({ file, problems }, index) => [
      `not ok ${index + 1} - ${escapeDescription(file)}`,
      ...yamlBlock({ message: 'the scenario cannot be read', problems: problemLines(problems) }),
    ]),
    ...outcomes.flatMap((outcome, index) => scenarioLines(outcome, unreadable.length + index + 1)),
  ];
  return `${['TAP version 14', `1..${count}`, ...lines].join('\n')}\n`;
}

function scenarioLines(outcome: ScenarioOutcome, number: number): readonly string[] {
  const { steps, problem, scenario } = outcome;
  const title = escapeDescription(runTitle(outcome));
  const word = outcome.outcome === 'passed' ? 'ok' : 'not ok';
  const inside = [`1..${steps.length}`, ...steps.flatMap((step, index) => stepLines(step, index + 1))];
  return [
    ...(steps.length > 0 ? [`# Subtest: ${title}`, ...inside.map((line) => `    ${line}`)] : []),
    `${word} ${number} - ${title}`,
    ...(problem ? yamlBlock({ message: problem.message, at: { ...(problem.place ?? { file: scenario.file }) } }) : []),
  ];
}

function stepLines(step: StepOutcome, number: number): readonly string[] {
  const { name, outcome, failures, place, leftOut, milliseconds } = step;
  const title = `${number} - ${escapeDescription(name)}`;
  switch (outcome) {
    case 'passed':
      return [`ok ${title}`];
    case 'not-run':
      return [`ok ${title} # SKIP an earlier step failed`];
    case 'left-out':
      return [`ok ${title} # SKIP ${escapeDescription(leftOut.join('; '))}`];
    case 'failed':
      return [
        `not ok ${title}`,
        ...yamlBlock({
          message: failures.map(({ what, message }) => `${what}: ${message}`).join('\n'),
          at: { ...place },
          duration_ms: milliseconds,
          failures: failures.map(({ what, message, expected, actual }) => ({ what, message, expected, actual })),
          explanation: explanationLines(step).join('\n').trim(),
        }),
      ];
  }
}

const yamlBlock = (value: object): readonly string[] =>
  ['---', ...stringify(value, { lineWidth: 0, blockQuote: 'literal' }).trimEnd().split('\n'), '...'].map(
    (line) => `  ${line}`,
  );

/** `#` begins a directive; a description is one line. */
const escapeDescription = (text: string): string =>
  text.replaceAll(/[\\#]/g, String.raw`\$&`).replaceAll(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks));
