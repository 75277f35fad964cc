import { diffLines } from 'diff';
import { renderExplanation } from '../../../explain/render/explain.ts';
import { type Paint, plain } from '../../../explain/render/explain-page.ts';
import type { Failure, StepOutcome } from '../outcome.ts';

/** `deniedBy: …`, then the diff. */
export function failureLines({ what, message, expected, actual }: Failure, paint: Paint = plain): readonly string[] {
  const [first = '', ...rest] = message.split('\n');
  return [
    `${paint('strong', what)}: ${first}`,
    ...rest.map((line) => `  ${line}`),
    ...(expected === undefined || actual === undefined ? [] : differenceLines(expected, actual, paint)),
  ];
}

/** With the explanation of the request once. */
export function stepFailureText(step: StepOutcome): string {
  const lines = step.failures.flatMap((failure) => failureLines(failure));
  return [...lines, ...explanationLines(step)].join('\n');
}

/** [] without a trace. */
export const explanationLines = ({ trace }: StepOutcome, paint: Paint = plain): readonly string[] =>
  trace === undefined ? [] : ['', ...renderExplanation(trace, { paint }).trimEnd().split('\n')];

const contextLines = 3;

/** `-` expected, `+` actual; shortens long equal parts. */
export function differenceLines(expected: string, actual: string, paint: Paint = plain): readonly string[] {
  const parts = diffLines(withLineEnd(expected), withLineEnd(actual));
  return [
    paint('bad', '  - expected') + paint('good', '  + actual'),
    ...parts.flatMap(({ added, removed, value }, index) => {
      const lines = value.replace(/\n$/, '').split('\n');
      if (removed) return lines.map((line) => paint('bad', `  - ${line}`));
      if (added) return lines.map((line) => paint('good', `  + ${line}`));
      return shortenEqualPart(lines, { isFirst: index === 0, isLast: index === parts.length - 1 }).map(
        (line) => `    ${line}`,
      );
    }),
  ];
}

const withLineEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

function shortenEqualPart(
  lines: readonly string[],
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): readonly string[] {
  const head = isFirst ? 0 : contextLines;
  const tail = isLast ? 0 : contextLines;
  if (lines.length <= head + tail + 1) return lines;
  const left = lines.length - head - tail;
  return [...lines.slice(0, head), `… ${left} equal lines`, ...(tail === 0 ? [] : lines.slice(-tail))];
}
