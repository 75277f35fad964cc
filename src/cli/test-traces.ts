import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Step } from '../scenario/format.ts';
import type { Combination } from '../scenario/matrix.ts';
import { traceText } from '../trace/trace-text.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * `--trace-dir`: FOLDER/PATH-OF-THE-SCENARIO/[COMBINATION/]STEP.json, readable for the owner only, since traces can hold
 * Secrets. The ids of traces are no names here: every scenario with the same seed has the same ones.
 */
export function writeStepTrace(folder: string, { scenario, combination }: Combination, step: Step, trace: Trace): void {
  const where = relative('', scenario.file).replace(/(?:^|[/\\])scenario\.ya?ml$/, '');
  const names = [...where.split(/[/\\]/), combination].filter((part) => part !== '' && part !== '..');
  const number = scenario.steps.indexOf(step) + 1;
  const own = join(folder, ...names.map(fileName));
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const file = join(own, `${String(number).padStart(2, '0')}-${fileName(step.name)}.json`);
  writeFileSync(file, traceText(trace), { mode: 0o600 });
}

const fileName = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}_.=-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);
