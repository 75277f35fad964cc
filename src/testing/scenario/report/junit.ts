import { dirname } from 'node:path';
import xmlbuilder, { type XMLElement } from 'xmlbuilder';
import type { ScenarioOutcome, StepOutcome } from '../outcome.ts';
import { placeText, problemLines, problemText } from '../read/problems.ts';
import { stepFailureText } from './failure-text.ts';
import { type TestRun, runTitle, totalsOf, type UnreadableScenario } from './test-run.ts';

/**
 * A testsuite per scenario, a testcase per step; `classname` is the folder. A broken scenario has one testcase with an error. Files and
 * lines begin the texts. Follows jenkinsci/xunit-plugin junit-10.xsd.
 */
export function junitReport(run: TestRun): string {
  const totals = totalsOf(run);
  const root = xmlbuilder.create('testsuites', { encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' });
  root.att({
    name: 'kadmit',
    tests: totals.steps + totals.broken + totals.unreadable,
    failures: run.outcomes.flatMap(({ steps }) => steps.filter(({ outcome }) => outcome === 'failed')).length,
    errors: totals.broken + totals.unreadable,
    time: seconds(run.milliseconds),
  });
  const timestamp = new Date(run.startedAt).toISOString().slice(0, 19);
  for (const one of run.unreadable) unreadableSuite(root, one, timestamp);
  for (const outcome of run.outcomes) suite(root, outcome, timestamp);
  return `${root.end({ pretty: true })}\n`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

function suite(root: XMLElement, outcome: ScenarioOutcome, timestamp: string): void {
  const { scenario, steps, milliseconds, problem } = outcome;
  const count = (...kinds: readonly StepOutcome['outcome'][]): number =>
    steps.filter((step) => kinds.includes(step.outcome)).length;
  const element = root.ele('testsuite', {
    name: runTitle(outcome),
    tests: steps.length + (problem ? 1 : 0),
    failures: count('failed'),
    errors: problem ? 1 : 0,
    skipped: count('not-run', 'left-out'),
    time: seconds(milliseconds),
    timestamp,
  });
  if (problem) {
    const { message, place = { file: scenario.file, line: 1, column: 1 } } = problem;
    const at = { name: 'set-up', classname: dirname(scenario.file) };
    errorCase(element, at, { message, text: `${placeText(place)}: ${message}` });
  }
  for (const step of steps) testcase(element, step, dirname(scenario.file));
}

function testcase(parent: XMLElement, step: StepOutcome, classname: string): void {
  const { name, place, milliseconds, failures, outcome, leftOut } = step;
  const element = parent.ele('testcase', { name, classname, time: seconds(milliseconds) });
  if (outcome === 'failed') {
    const [first] = failures;
    // Readers show the type beside the message.
    element
      .ele('failure', { message: first?.message ?? 'failed', type: first?.what ?? '' })
      .txt(`${placeText(place)}\n${stepFailureText(step)}`);
  }
  if (outcome === 'not-run') element.ele('skipped', { message: 'an earlier step failed' });
  if (outcome === 'left-out') element.ele('skipped', { message: leftOut.join('; ') });
}

function unreadableSuite(root: XMLElement, { file, problems }: UnreadableScenario, timestamp: string): void {
  const element = root.ele('testsuite', {
    name: file,
    tests: 1,
    failures: 0,
    errors: 1,
    skipped: 0,
    time: seconds(0),
    timestamp,
  });
  const [first] = problems;
  const message = first ? problemText(first) : 'cannot be read';
  errorCase(element, { name: 'read', classname: dirname(file) }, { message, text: problemLines(problems).join('\n') });
}

function errorCase(
  parent: XMLElement,
  attributes: { readonly name: string; readonly classname: string },
  { message, text }: { readonly message: string; readonly text: string },
): void {
  parent
    .ele('testcase', { ...attributes, time: seconds(0) })
    .ele('error', { message, type: 'error' })
    .txt(text);
}
