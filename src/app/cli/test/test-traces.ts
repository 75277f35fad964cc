import { trim } from '../../../machinery/go/strings.ts';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeFolder } from '../../../adapters/files/portable-files.ts';
import type { ScenarioStep } from '../../../testing/scenario/format.ts';
import type { Combination } from '../../../testing/scenario/matrix.ts';
import type { ScenarioOutcome } from '../../../testing/scenario/outcome.ts';
import { renderTraceFile, traceText } from '../../../adapters/traces/trace-file.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

/**
 * `--trace-dir`: FOLDER/PATH-OF-THE-SCENARIO/[COMBINATION/]STEP.json, readable for the owner only: traces can contain Secrets.
 * Ids are not in file names: every scenario with the same seed has the same ones.
 */
export function writeStepTrace(
  folder: string,
  { scenario, combination }: Combination,
  step: ScenarioStep,
  trace: Trace,
): void {
  const number = scenario.steps.indexOf(step) + 1;
  const own = traceFolder(folder, scenario.file, combination);
  makeFolder(own, 0o700);
  const file = join(own, `${String(number).padStart(2, '0')}-${fileName(step.name)}.json`);
  writeFileSync(file, traceText(trace), { mode: 0o600 });
}

/**
 * For each failed scenario a page with its requests, FOLDER/PATH-OF-THE-SCENARIO/[COMBINATION/]trace.html.
 * Resolves with the files; rejects when one cannot be written.
 */
export async function writeFailedTraces(
  folder: string,
  outcomes: readonly ScenarioOutcome[],
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { outcome, scenario, combination, steps } of outcomes) {
    const traces = outcome === 'passed' ? [] : steps.flatMap(({ trace }) => (trace === undefined ? [] : [trace]));
    if (traces.length === 0) continue;
    const own = traceFolder(folder, scenario.file, combination);
    makeFolder(own, 0o700);
    const file = join(own, 'trace.html');
    writeFileSync(file, await renderTraceFile(traces), { mode: 0o600 });
    files.push(file);
  }
  return files;
}

function traceFolder(folder: string, scenarioFile: string, combination: string): string {
  const where = relative('', scenarioFile).replace(/(?:^|[/\\])scenario\.ya?ml$/, '');
  const names = [...where.split(/[/\\]/), combination].filter((part) => part !== '' && part !== '..');
  return join(folder, ...names.map(fileName));
}

const fileName = (text: string): string => trim(text.replaceAll(/[^\p{L}\p{N}_.=-]+/gu, '-'), '-').slice(0, 80);
