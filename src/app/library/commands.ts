import { planComparisons } from '../../analysis/trials/comparisons.ts';
import { readLintFiles } from '../../analysis/lint/read-objects.ts';
import { replayReport } from '../../analysis/trials/replay-report.ts';
import { logRequests } from '../../analysis/trials/logged-request.ts';
import { releasesBetween } from '../../analysis/trials/compare-releases.ts';
import { trialObjects, trialScenario, trialScenarios } from '../../analysis/trials/trial-scenarios.ts';
import { compareReleases, type CompatReport } from '../../analysis/trials/compat.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { computeBudgets } from '../../analysis/lint/model/budget.ts';
import type { RequestBudget } from '../../explain/trace/request-budget.ts';
import { createLintSet } from '../../analysis/lint/model/lint-set.ts';
import { problemLines } from '../../testing/scenario/read/problems.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import { createWorlds } from '../in-process/worlds.ts';
import { compareSets, type SetsReport } from '../../analysis/trials/compare-sets.ts';
import { type OrderReport, permute } from '../../analysis/trials/permute-request.ts';
import { checkIdempotency, type IdempotencyReport } from '../../analysis/trials/idempotency.ts';
import type { LogReport } from '../../analysis/trials/replay-log.ts';
import { certificateChecks } from '../../analysis/lint/rules/certificates.ts';
import { readIgnoreComments, lint as lintObjects, type LintResult } from '../../analysis/lint/lint.ts';
import { renderExplanation as explainTrace } from '../../explain/render/explain.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { importFiles } from '../../testing/imports/import-files.ts';
import { writeScenarios } from '../../testing/imports/write-scenarios.ts';

export interface TrialsOf {
  /** Scenarios; with `load`, files of objects to create. */
  readonly requests: readonly string[];
  /** Configurations, policies and other objects to store first. */
  readonly load?: readonly string[];
  /** Addresses of webhooks of `load`: `{ 'hook.example.com': 'http://127.0.0.1:8080/mutate' }`. */
  readonly to?: Readonly<Record<string, string>>;
}

export interface DiffOf extends TrialsOf {
  /** Files or folders of the two sets. */
  readonly a: string;
  readonly b: string;
  /** An audit log whose writes are sent. */
  readonly auditLog?: string;
  /** A folder of traces whose writes are sent. */
  readonly traceDir?: string;
}

/** As `kadmit order`. Rejects with ConfigError for an unreadable file. */
export const order = (
  options: TrialsOf & { readonly samples?: number; readonly seed?: number },
): Promise<readonly OrderReport[]> =>
  withWorlds(async (worlds) => {
    const { samples = 100, seed = 1 } = options;
    const reports: OrderReport[] = [];
    for (const scenario of await trialScenarios(options.requests, pathsOf(options)))
      reports.push(await permute(scenario, worlds, { samples, seed }));
    return reports;
  });

/** As `kadmit idempotency`. Rejects with ConfigError for an unreadable file. */
export const idempotency = (options: TrialsOf): Promise<readonly IdempotencyReport[]> =>
  withWorlds(async (worlds) => {
    const reports: IdempotencyReport[] = [];
    for (const scenario of await trialScenarios(options.requests, pathsOf(options)))
      reports.push(await checkIdempotency(scenario, worlds));
    return reports;
  });

/** As `kadmit diff`. Rejects with ConfigError for an unreadable file. */
export const diff = (options: DiffOf): Promise<readonly SetsReport[]> =>
  withWorlds(async (worlds) => {
    const { a, b, requests, auditLog = '', traceDir = '' } = options;
    const reports: SetsReport[] = [];
    for (const { sides, compareRequests } of await planComparisons([a, b], requests, {
      ...pathsOf(options),
      auditLog,
      traceDir,
    }))
      reports.push(await compareSets(sides, compareRequests, worlds));
    return reports;
  });

export interface DiffLogOf {
  /** Policies, bindings, configurations: files and folders. */
  readonly load: readonly string[];
  /** An audit log of level Request or RequestResponse, JSON lines, plain or gzipped. */
  readonly auditLog?: string;
  /** Files of objects, each of which is created as a dry run. */
  readonly dump?: readonly string[];
  /** Addresses of webhooks of `load`. */
  readonly to?: Readonly<Record<string, string>>;
  /** Latency of webhooks in milliseconds; `*` for all others. */
  readonly takes?: Readonly<Record<string, number>>;
}

/** As `kadmit diff SET --audit-log`. Rejects with ConfigError for an unreadable file. */
export const diffLog = ({ load, auditLog = '', dump = [], to = {}, takes = {} }: DiffLogOf): Promise<LogReport> =>
  withWorlds((worlds) => {
    const durations = Object.entries(takes).map(([webhook, milliseconds]) => `${webhook}=${milliseconds}ms`);
    return replayReport({ ...pathsOf({ load, to }), takes: durations, auditLog, dump }, worlds);
  });

export interface CompatOf {
  /** Names of releases: `1.34`. */
  readonly from: string;
  readonly to: string;
  /** Files of objects, configurations and policies. */
  readonly paths?: readonly string[];
  readonly auditLog?: string;
}

/** As `kadmit compat`. Rejects with ConfigError for an unreadable file. */
export const compat = ({ from, to, paths = [], auditLog }: CompatOf): Promise<CompatReport> =>
  withWorlds((worlds) => {
    const releases = releasesBetween(from, to);
    if (!releases) throw new ConfigError(`${to} is not after ${from}`);
    const load = paths.length === 0 ? [] : trialObjects(paths);
    const scenario = trialScenario({ name: 'compat', load, webhooks: [], steps: [] });
    return compareReleases(
      scenario,
      releases,
      worlds,
      auditLog === undefined ? undefined : () => logRequests(auditLog),
    );
  });

/** As `kadmit budget`, the worst first; `clientSeconds` is the timeout of the client. Rejects with ConfigError for an unreadable file. */
export async function budget(
  paths: readonly string[],
  { clientSeconds = Infinity }: { readonly clientSeconds?: number } = {},
): Promise<readonly RequestBudget[]> {
  const { objects, problems } = readLintFiles(paths);
  if (problems.length > 0) throw new ConfigError(problemLines(problems).join('\n'));
  return computeBudgets(createLintSet(objects, { isWhole: false, now: Date.now() }), clientSeconds);
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

/** The findings of `kadmit lint` for these files and folders, errors first. Throws ConfigError for an unreadable file. */
export function lint(...paths: readonly string[]): LintResult {
  const { objects, texts, problems } = readLintFiles(paths);
  if (problems.length > 0) throw new ConfigError(problemLines(problems).join('\n'));
  return lintObjects(objects, {
    isWhole: false,
    now: Date.now(),
    certificates: certificateChecks,
    ignores: readIgnoreComments(texts),
  });
}

/** The text of `kadmit explain`, for the message of a failed assertion. */
export const explain = (trace: Trace): string => explainTrace(trace);

/** A test of another tool as scenarios. */
export interface Imported {
  readonly name: string;
  /** The file or folder it was read from. */
  readonly from: string;
  /** What is left out or changed. */
  readonly notes: readonly string[];
  /** The files of each scenario by their names, `scenario.yaml` among them. */
  readonly scenarios: readonly { readonly name: string; readonly files: Readonly<Record<string, string>> }[];
}

/** The scenarios that `kadmit import` writes. Throws ConfigError for an unreadable file. */
export function importTests(
  paths: readonly string[],
  { load = [] }: { readonly load?: readonly string[] } = {},
): readonly Imported[] {
  return importFiles(paths, load).map((test) => ({
    name: test.name,
    from: test.from,
    notes: test.notes,
    scenarios: writeScenarios(test).map(({ name, files }) => ({ name, files: Object.fromEntries(files) })),
  }));
}
