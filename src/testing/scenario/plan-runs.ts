import { loadScenario } from './load-scenario.ts';
import { type Combination, combinationsOf } from './matrix.ts';
import { runTitle, type UnreadableScenario } from './report/test-run.ts';

export interface RunPlan {
  /** In file order, each with its combinations. */
  readonly runs: readonly Combination[];
  readonly unreadable: readonly UnreadableScenario[];
  /** Files that each scenario file depends on. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** Scenarios that need a script, which was not loaded. */
  readonly scriptless: readonly string[];
  /** For the user, before the run. */
  readonly notes: readonly string[];
  /** Runs excluded by filter or shard. */
  readonly leftOut: number;
}

export interface ScenarioSelection {
  readonly isSelected: (title: string, file: string) => boolean;
  /** `index` counts from 1. */
  readonly shard: Shard;
  /** Overrides the scenarios' own. */
  readonly clock: 'real' | 'virtual' | undefined;
  /** Overrides the scenarios' own; '' does not. */
  readonly kubernetesVersion?: string | undefined;
  readonly noScripts?: boolean;
  /** Called before each file is read; a returned text is the reason not to read it. */
  readonly onRead?: (file: string) => string | undefined;
}

export interface Shard {
  readonly index: number;
  readonly count: number;
}

export async function planRuns(
  files: readonly string[],
  { isSelected: wants, shard, clock, kubernetesVersion = '', noScripts = false, onRead }: ScenarioSelection,
): Promise<RunPlan> {
  const unreadable: UnreadableScenario[] = [];
  const sources = new Map<string, readonly string[]>();
  const all: Combination[] = [];
  const scriptless: string[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const reason = onRead?.(file);
    if (reason !== undefined) {
      unreadable.push({ file, problems: [{ place: { file, line: 1, column: 1 }, path: '', message: reason }] });
      continue;
    }
    const loading = await loadScenario(file, { noScripts });
    sources.set(file, loading.files);
    if (loading.outcome === 'loaded' && loading.isLacking) scriptless.push(file);
    else if (loading.outcome === 'unreadable') {
      unreadable.push({ file, problems: loading.problems });
    } else {
      notes.push(...loading.notes);
      const flags = { ...(clock ? { clock } : {}), ...(kubernetesVersion === '' ? {} : { kubernetesVersion }) };
      all.push(...combinationsOf({ ...loading.scenario, ...flags }));
    }
  }
  const selected = all.filter(({ scenario, combination }) => wants(runTitle({ scenario, combination }), scenario.file));
  // Every shard numbers the same list, so that each run is in exactly one.
  const runs = selected.filter((_run, index) => index % shard.count === shard.index - 1);
  return { runs, unreadable, sources, scriptless, notes, leftOut: all.length - runs.length };
}
