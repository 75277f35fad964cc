import { comparisonsOf } from '../../analysis/trials/comparisons.ts';
import { readObjects } from '../../analysis/lint/read-objects.ts';
import { replayReport } from '../../analysis/trials/replay-report.ts';
import { logRequests } from '../../analysis/trials/logged-request.ts';
import { releasesBetween } from '../../analysis/trials/compare-releases.ts';
import { trialObjects, trialScenario, trialScenarios } from '../../analysis/trials/trial-scenarios.ts';
import { compareReleases as tryUpgrade, type UpgradeReport } from '../../analysis/trials/upgrade.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { budgetsOf } from '../../analysis/lint/model/budget.ts';
import type { RequestBudget } from '../../explain/trace/request-budget.ts';
import { createLintSet } from '../../analysis/lint/model/lint-set.ts';
import { problemLines } from '../../testing/scenario/read/problems.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import { createWorlds } from '../in-process/worlds.ts';
import { compareSets, type SetsReport } from '../../analysis/trials/compare-sets.ts';
import { permute as permuteScenario, type PermuteReport } from '../../analysis/trials/permute.ts';
import { refeed as refeedScenario, type RefeedReport } from '../../analysis/trials/refeed.ts';
import type { LogReport } from '../../analysis/trials/replay-log.ts';

/** Which writes are tried, and before what. */
export interface TrialsOf {
  /** Scenarios; with `load`, files of objects to create. */
  readonly requests: readonly string[];
  /** Configurations, policies and whatever is stored first. */
  readonly load?: readonly string[];
  /** Where webhooks of `load` really listen: `{ 'hook.example.com': 'http://127.0.0.1:8080/mutate' }`. */
  readonly to?: Readonly<Record<string, string>>;
}

export interface DiffOf extends TrialsOf {
  /** Files or folders of the two sets. */
  readonly a: string;
  readonly b: string;
  /** An audit log whose writes are sent. */
  readonly auditLog?: string;
  /** A folder of traces whose writes are sent. */
  readonly traces?: string;
}

/** The same writes with their mutating webhooks in every order, as `kadmit permute`. Rejects with ConfigError for what cannot be read. */
export const permute = (
  options: TrialsOf & { readonly samples?: number; readonly seed?: number },
): Promise<readonly PermuteReport[]> =>
  withWorlds(async (worlds) => {
    const { samples = 100, seed = 1 } = options;
    const reports: PermuteReport[] = [];
    for (const scenario of await trialScenarios(options.requests, pathsOf(options)))
      reports.push(await permuteScenario(scenario, worlds, { samples, seed }));
    return reports;
  });

/** Every mutating webhook with its own output again, as `kadmit refeed`. Rejects with ConfigError for what cannot be read. */
export const refeed = (options: TrialsOf): Promise<readonly RefeedReport[]> =>
  withWorlds(async (worlds) => {
    const reports: RefeedReport[] = [];
    for (const scenario of await trialScenarios(options.requests, pathsOf(options)))
      reports.push(await refeedScenario(scenario, worlds));
    return reports;
  });

/** Two sets of configurations and policies over the same requests, as `kadmit diff`. Rejects with ConfigError for what cannot be read. */
export const diff = (options: DiffOf): Promise<readonly SetsReport[]> =>
  withWorlds(async (worlds) => {
    const { a, b, requests, auditLog = '', traces = '' } = options;
    const reports: SetsReport[] = [];
    for (const { sides, ask } of await comparisonsOf([a, b], requests, { ...pathsOf(options), auditLog, traces }))
      reports.push(await compareSets(sides, ask, worlds));
    return reports;
  });

/** Which log, and what it is held against. */
export interface ReplayOf {
  /** Policies, bindings, configurations: files and folders. */
  readonly load: readonly string[];
  /** An audit log of level Request or RequestResponse, JSON lines, perhaps gzipped. */
  readonly auditLog?: string;
  /** Files of objects, each of which is created as a dry run. */
  readonly dump?: readonly string[];
  /** Where webhooks of `load` really listen. */
  readonly to?: Readonly<Record<string, string>>;
  /** How long webhooks take, milliseconds; `*`: those of which nothing else is said. */
  readonly takes?: Readonly<Record<string, number>>;
}

/** What a set of policies and configurations would have made of the writes of an audit log, as `kadmit replay --audit-log`. Rejects with ConfigError for what cannot be read. */
export const replayLog = ({ load, auditLog = '', dump = [], to = {}, takes = {} }: ReplayOf): Promise<LogReport> =>
  withWorlds((worlds) => {
    const durations = Object.entries(takes).map(([webhook, milliseconds]) => `${webhook}=${milliseconds}ms`);
    return replayReport({ ...pathsOf({ load, to }), takes: durations, auditLog, dump }, worlds);
  });

/** Between which releases, and what is tried. */
export interface UpgradeOf {
  /** Names of releases: `1.34`. */
  readonly from: string;
  readonly to: string;
  /** Files of objects, configurations and policies. */
  readonly paths?: readonly string[];
  readonly auditLog?: string;
}

/** What differs for these objects and requests under another release, as `kadmit upgrade`. Rejects with ConfigError for what cannot be read. */
export const upgrade = ({ from, to, paths = [], auditLog }: UpgradeOf): Promise<UpgradeReport> =>
  withWorlds((worlds) => {
    const releases = releasesBetween(from, to);
    if (!releases) throw new ConfigError(`${to} is not after ${from}`);
    const load = paths.length === 0 ? [] : trialObjects(paths);
    const scenario = trialScenario({ name: 'upgrade', load, webhooks: [], steps: [] });
    return tryUpgrade(scenario, releases, worlds, auditLog === undefined ? undefined : () => logRequests(auditLog));
  });

/**
 * How long the webhooks in these files and folders may hold up each kind of request, the worst first, as `kadmit budget`;
 * `clientSeconds`: what the client waits. Rejects with ConfigError for what cannot be read.
 */
export async function budget(
  paths: readonly string[],
  { clientSeconds = Infinity }: { readonly clientSeconds?: number } = {},
): Promise<readonly RequestBudget[]> {
  const { objects, problems } = readObjects(paths);
  if (problems.length > 0) throw new ConfigError(problemLines(problems).join('\n'));
  return budgetsOf(createLintSet(objects, { isWhole: false, now: Date.now() }), clientSeconds);
}

const pathsOf = ({
  load = [],
  to = {},
}: Pick<TrialsOf, 'load' | 'to'>): { readonly load: readonly string[]; readonly to: readonly string[] } => ({
  load,
  to: Object.entries(to).map(([webhook, url]) => `${webhook}=${url}`),
});

async function withWorlds<Report>(run: (worlds: Worlds) => Promise<Report>): Promise<Report> {
  const worlds = createWorlds((bug) => {
    throw bug;
  });
  try {
    return await run(worlds);
  } finally {
    await worlds.close();
  }
}
