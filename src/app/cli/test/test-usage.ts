import { documentProblem } from './test-document.ts';
import type { TestOptions } from './test-options.ts';
import { reportProblem } from './test-reports.ts';

/** What is wrong with flags and paths that are fine one by one; undefined when nothing is. */
export function usageProblem(options: TestOptions, paths: readonly string[]): string | undefined {
  const { init, report } = options;
  if (init !== '') return paths.length > 0 ? `--init and ${paths[0] ?? ''}: give one of them` : undefined;
  if (paths.length === 0) return 'no PATH given: kadmit test scenarios/, for example';
  const problem = webhookProblem(options);
  if (problem !== undefined) return problem;
  const [mode, another] = modesOf(options);
  if (another !== undefined) return `${mode ?? ''} and ${another} cannot go together`;
  if (mode === '--compare-with' || mode === '--outage') return documentProblem(mode, options);
  return reportProblem(report);
}

function webhookProblem({ webhook, ca, insecure, noScripts }: TestOptions): string | undefined {
  if (webhook === '') return ca !== '' || insecure ? '--ca and --insecure are for --webhook' : undefined;
  const isScript = !/^https?:\/\//.test(webhook);
  return isScript && noScripts ? '--no-scripts and --webhook SCRIPT cannot go together' : undefined;
}

/** Flags of which each does something else with the scenarios. */
function modesOf({ target, compareWith, outage, webhook }: TestOptions): readonly string[] {
  return [
    ...(target === '' ? [] : ['--target']),
    ...(compareWith === '' ? [] : ['--compare-with']),
    ...(outage ? ['--outage'] : []),
    ...(webhook === '' ? [] : ['--webhook']),
  ];
}
