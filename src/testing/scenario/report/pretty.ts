import { type Paint, plain } from '../../../explain/render/explain-page.ts';
import type { ScenarioOutcome, StepOutcome } from '../outcome.ts';
import { placeText, problemLines } from '../read/problems.ts';
import { explanationLines, failureLines } from './failure-text.ts';
import { type TestRun, runTitle, totalsOf, type UnreadableScenario } from './test-run.ts';
import { countText } from '../../../machinery/lists.ts';

/** One line, or the failures. */
export function prettyOutcome(outcome: ScenarioOutcome, paint: Paint = plain): string {
  const { scenario, steps, milliseconds, problem } = outcome;
  const count = countText(steps.length, 'step');
  const about = paint('dim', `${scenario.file}  ${count}, ${formatTime(milliseconds)}`);
  if (outcome.outcome === 'passed') {
    return [
      `${paint('good', '✓')} ${runTitle(outcome)}  ${about}`,
      ...noteLines(outcome),
      ...leftOutLines(outcome, paint),
    ].join('\n');
  }
  const head = `${paint('bad', '✗')} ${paint('strong', runTitle(outcome))}  ${about}`;
  const place = placeText(problem?.place ?? { file: scenario.file, line: 1, column: 1 });
  const why = problem ? [`  ${place}: cannot be run: ${problem.message}`] : [];
  const notRun = steps.filter((step) => step.outcome === 'not-run').length;
  return [
    head,
    ...why,
    ...noteLines(outcome),
    ...steps.filter((step) => step.outcome === 'failed').flatMap((step) => failedStep(step, paint)),
    ...(notRun > 0 ? [paint('dim', `  ${notRun} more ${notRun === 1 ? 'step was' : 'steps were'} not run`)] : []),
    '',
  ].join('\n');
}

/** The place first: terminals and editors link it. */
function failedStep(step: StepOutcome, paint: Paint): readonly string[] {
  const failures = step.failures.flatMap((failure) => {
    const [first = '', ...rest] = failureLines(failure, paint);
    return [`  ${placeText(failure.place)}: ${first}`, ...rest.map((line) => `    ${line}`)];
  });
  return [
    `  ${placeText(step.place)}: ${paint('bad', step.name)}`,
    ...failures,
    ...(step.note === undefined ? [] : [`    ${paint('warn', `hint: ${step.note}`)}`]),
    ...explanationLines(step, paint).map((line) => (line === '' ? '' : `    ${line}`)),
  ];
}

const noteLines = ({ steps }: ScenarioOutcome): readonly string[] =>
  steps.flatMap(({ name, note, outcome }) =>
    note === undefined || outcome === 'failed' ? [] : [`    ${name}: ${note}`],
  );

/** Expectations that a pass does not cover. */
function leftOutLines({ steps }: ScenarioOutcome, paint: Paint): readonly string[] {
  const reasons = [...new Set(steps.flatMap(({ leftOut }) => leftOut))];
  return reasons.map((reason) => paint('dim', `    not checked: ${reason}`));
}

export const prettyUnreadable = ({ file, problems }: UnreadableScenario, paint: Paint = plain): string =>
  [
    `${paint('bad', '✗')} ${paint('strong', file)}  ${paint('dim', 'cannot be read')}`,
    ...problemLines(problems).map((line) => `  ${line}`),
    '',
  ].join('\n');

/** `12 scenarios: 11 passed, 1 failed  (40 steps) in 85 ms`. */
export function prettySummary(run: TestRun, paint: Paint = plain): string {
  const totals = totalsOf(run);
  const counts = [
    totals.passed > 0 ? paint('good', `${totals.passed} passed`) : '',
    totals.failed > 0 ? paint('bad', `${totals.failed} failed`) : '',
    totals.broken > 0 ? paint('bad', `${totals.broken} could not be run`) : '',
    totals.unreadable > 0 ? paint('bad', `${totals.unreadable} could not be read`) : '',
    totals.notRun > 0 ? `${totals.notRun} not run` : '',
  ].filter((count) => count !== '');
  const all = totals.scenarios + totals.unreadable + totals.notRun;
  const steps = countText(totals.steps, 'step');
  const ended = run.ended === undefined ? '' : paint('bad', `; ended: ${run.ended}`);
  return `\n${countText(all, 'scenario')}: ${counts.join(', ') || 'none ran'}; ${steps} in ${formatTime(run.milliseconds)}${ended}`;
}

export const prettyReport = (run: TestRun): string =>
  [
    ...run.unreadable.map((one) => prettyUnreadable(one)),
    ...run.outcomes.map((one) => prettyOutcome(one)),
    prettySummary(run),
  ].join('\n') + '\n';

const formatTime = (milliseconds: number): string =>
  milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(2)} s` : `${Math.ceil(milliseconds)} ms`;
