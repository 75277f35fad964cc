import { loadScenario } from './load-scenario.ts';
import { combinationsOf } from './matrix.ts';
import type { Combination } from './matrix.ts';
import type { UnreadableScenario } from './report/test-run.ts';
import { titleOf } from './report/test-run.ts';

export interface RunPlan {
  /** In the order of the files, each with its combinations. */
  readonly runs: readonly Combination[];
  readonly unreadable: readonly UnreadableScenario[];
  /** What each scenario file was read from: a change there may change its outcome. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** Scenarios that need a script, which was not to be loaded. */
  readonly scriptless: readonly string[];
  /** What is to be known before they are run. */
  readonly notes: readonly string[];
  /** Runs that the filter or the shard leave out. */
  readonly leftOut: number;
}

export interface Selection {
  /** Whether a run of this title and file is wanted. */
  readonly wants: (title: string, file: string) => boolean;
  /** The `index`th of `count` parts, from 1. */
  readonly shard: Shard;
  /** Undefined: each scenario's own. */
  readonly clock: 'real' | 'virtual' | undefined;
  /** Instead of what the scenarios say; undefined or '': each one's own. */
  readonly kubernetesVersion?: string | undefined;
  readonly noScripts?: boolean;
  /** Told of each file before it is read; returns why it is not to be. */
  readonly onRead?: (file: string) => string | undefined;
}

export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads the scenarios and lists the runs to make. */
export async function planRuns(
  files: readonly string[],
  { wants, shard, clock, kubernetesVersion = '', noScripts = false, onRead }: Selection,
): Promise<RunPlan> {
  const unreadable: UnreadableScenario[] = [];
  const sources = new Map<string, readonly string[]>();
  const all: Combination[] = [];
  const scriptless: string[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const unwanted = onRead?.(file);
    if (unwanted !== undefined) {
      unreadable.push({ file, problems: [{ place: { file, line: 1, column: 1 }, path: '', message: unwanted }] });
      continue;
    }
    const loading = await loadScenario(file, { noScripts });
    sources.set(file, loading.files);
    if (loading.outcome === 'loaded' && loading.isLacking) scriptless.push(file);
    else if (loading.outcome === 'unreadable') {
      unreadable.push({ file, problems: loading.problems });
    } else {
      notes.push(...loading.notes);
      const asked = { ...(clock ? { clock } : {}), ...(kubernetesVersion === '' ? {} : { kubernetesVersion }) };
      all.push(...combinationsOf({ ...loading.scenario, ...asked }));
    }
  }
  const wanted = all.filter(({ scenario, combination }) => wants(titleOf({ scenario, combination }), scenario.file));
  // Every shard counts the same list, so that each run is in one of them.
  const runs = wanted.filter((_run, index) => index % shard.count === shard.index - 1);
  return { runs, unreadable, sources, scriptless, notes, leftOut: all.length - runs.length };
}
