import type { ComparedStep, Comparison, StepDifference } from './compare.ts';
import { differenceLines } from './report/failure-text.ts';
import { titleOf } from './report/test-run.ts';

/** What a comparison came to, for people: a line, or each step that differs with what kadmit and the other answered. */
export function comparisonText(comparison: Comparison): string {
  const { scenario, outcome, problem, steps } = comparison;
  const about = `${titleOf(comparison)}  ${scenario.file}`;
  if (outcome === 'broken') return `BROKEN  ${about}: ${problem?.message ?? 'it could not be run'}`;
  const compared = steps.filter((step) => step.outcome !== 'left-out').length;
  const count = compared === 1 ? '1 step' : `${compared} steps`;
  if (outcome === 'same') return `SAME  ${about}, ${count} compared`;
  const different = steps.filter((step) => step.outcome === 'different');
  return [`DIFFERENT  ${about}, ${different.length} of ${count}`, ...different.flatMap(stepLines)].join('\n');
}

const stepLines = ({ name, place, differences }: ComparedStep): readonly string[] => [
  `  ${place.file}:${place.line}:${place.column}: ${name}`,
  ...differences.flatMap(linesOf),
];

function linesOf({ what, here, there }: StepDifference): readonly string[] {
  if (!here.includes('\n') && !there.includes('\n')) {
    return [`    ${what}: kadmit ${quoted(here)}, there ${quoted(there)}`];
  }
  const [, ...lines] = differenceLines(here, there);
  return [`    ${what}:  - kadmit  + there`, ...lines.map((line) => `    ${line}`)];
}

const quoted = (text: string): string => (text === '' ? 'none' : JSON.stringify(text));
