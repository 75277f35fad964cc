import { diffLines } from 'diff';
import { explain } from '../../../explain/render/explain.ts';
import { plain } from '../../../explain/render/explain-page.ts';
import type { Paint } from '../../../explain/render/explain-page.ts';
import type { Failure, StepOutcome } from '../outcome.ts';

/** What a failure says: `deniedBy: …`, and below it the difference between what was expected and what was. */
export function failureLines({ what, message, expected, actual }: Failure, paint: Paint = plain): readonly string[] {
  const [first = '', ...rest] = message.split('\n');
  return [
    `${what === '' ? '' : `${paint('strong', what)}: `}${first}`,
    ...rest.map((line) => `  ${line}`),
    ...(expected === undefined || actual === undefined ? [] : differenceLines(expected, actual, paint)),
  ];
}

/** All failures of a step, with the explanation of its request once below. */
export function stepFailureText(step: StepOutcome): string {
  const lines = step.failures.flatMap((failure) => failureLines(failure));
  return [...lines, ...explanationLines(step)].join('\n');
}

/** What happened to the request of a step, in words; [] when nobody knows. */
export const explanationLines = ({ trace }: StepOutcome, paint: Paint = plain): readonly string[] =>
  trace === undefined ? [] : ['', ...explain(trace, { paint }).trimEnd().split('\n')];

const unchanged = 3;

/** `-` what was expected, `+` what was there; of long equal parts only their ends. */
export function differenceLines(expected: string, actual: string, paint: Paint = plain): readonly string[] {
  const parts = diffLines(endLine(expected), endLine(actual));
  return [
    paint('bad', '  - expected') + paint('good', '  + actual'),
    ...parts.flatMap(({ added, removed, value }, index) => {
      const lines = value.replace(/\n$/, '').split('\n');
      if (removed) return lines.map((line) => paint('bad', `  - ${line}`));
      if (added) return lines.map((line) => paint('good', `  + ${line}`));
      return shortened(lines, { isFirst: index === 0, isLast: index === parts.length - 1 }).map(
        (line) => `    ${line}`,
      );
    }),
  ];
}

const endLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

function shortened(
  lines: readonly string[],
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): readonly string[] {
  const head = isFirst ? 0 : unchanged;
  const tail = isLast ? 0 : unchanged;
  if (lines.length <= head + tail + 1) return lines;
  const left = lines.length - head - tail;
  return [...lines.slice(0, head), `… ${left} equal lines`, ...(tail === 0 ? [] : lines.slice(-tail))];
}
