import type { KnownWebhook } from '../expect/step-observation.ts';
import type { ScenarioOutcome } from '../outcome.ts';
import { runTitle } from '../report/test-run.ts';

export interface OutageReport {
  readonly scenario: ScenarioOutcome['scenario'];
  readonly combination: string;
  /** `stuck`: with every backend down, at least one cannot recover by itself. */
  readonly outcome: 'recovers' | 'stuck' | 'broken';
  readonly problem?: NonNullable<ScenarioOutcome['problem']>;
  readonly backends: readonly ReportedBackend[];
  readonly drills: readonly OutageRun[];
  /** Waves of recovery after a full outage. */
  readonly recovery: readonly (readonly string[])[];
  /** Webhooks of a dependency cycle; [] when all backends recover. */
  readonly knots: readonly MutualDependency[];
  /** Backends outside the cycles that depend on one. */
  readonly waiting: readonly string[];
  /** Backends that cannot recover while all hang: the calls together exceed the request deadline. */
  readonly outOfTime: readonly string[];
  /** Webhook configurations that can be deleted during the outage. */
  readonly deletable: readonly string[];
}

export interface ReportedBackend {
  /** `kyverno/kyverno-svc`, or the host of a url. */
  readonly name: string;
  /** An external backend needs nothing from the cluster. */
  readonly inCluster: boolean;
  readonly webhooks: readonly KnownWebhook[];
}

export interface OutageRun {
  readonly down: readonly string[];
  readonly how: 'refuse' | 'hang';
  /** Number of standard writes tried. */
  readonly tried: number;
  readonly blocked: readonly BlockedWrite[];
  /** The slowest admitted write. */
  readonly slowest: { readonly write: string; readonly milliseconds: number } | undefined;
}

export interface BlockedWrite {
  /** `create a Pod in shop`. */
  readonly write: string;
  readonly code: number;
  readonly message: string;
  readonly milliseconds: number;
  /** Webhooks that failed closed; [] when the whole request timed out. */
  readonly by: readonly BlockingWebhook[];
  /** Of a request that timed out: milliseconds per webhook. */
  readonly spent: readonly { readonly name: string; readonly milliseconds: number }[];
}

export interface BlockingWebhook extends KnownWebhook {
  readonly backend: string;
  /** `rules[0] (CREATE pods)`: the rule that matched. */
  readonly rule: string;
}

/** A webhook that blocks writes its own backend depends on. */
export interface MutualDependency extends BlockingWebhook {
  /** Backends that cannot recover. */
  readonly keeps: readonly string[];
  /** Refused writes that they need. */
  readonly blocked: readonly string[];
  /** A fix, and whether another run with it recovers. */
  readonly advice: Advice;
}

export interface Advice {
  readonly text: string;
  /** YAML fields of the webhook. */
  readonly fields: string;
  readonly helps: boolean;
}

/** The verdict, then each deadlock, then the blocked writes of each outage. */
export const outageText = (report: OutageReport): string =>
  [
    ...verdictLines(report),
    ...report.knots.flatMap(mutualLines),
    ...report.drills.flatMap(outageRunLines),
    ...deletableLines(report),
  ].join('\n');

function verdictLines(report: OutageReport): readonly string[] {
  const name = runTitle(report);
  const { problem, outcome, backends, recovery, knots, waiting, outOfTime } = report;
  if (outcome === 'broken') return [`BROKEN  ${name}: ${problem?.message ?? 'it could not be run'}`];
  if (backends.length === 0) return [`RECOVERS  ${name}: it loads no webhook`];
  if (outOfTime.length > 0) {
    const what = `${outOfTime.join(', ')} cannot recover while all hang: the calls together exceed the request`;
    return [`STUCK  ${name}: ${what}`];
  }
  if (outcome === 'recovers') {
    const order = recovery.length > 1 ? `: ${recovery.map((wave) => wave.join(', ')).join(', then ')}` : '';
    return [`RECOVERS  ${name}: all backends recover by themselves${order}`];
  }
  const stuck = [...new Set(knots.map(({ backend }) => backend))];
  const first = `${stuck.join(', ')} cannot recover by ${stuck.length > 1 ? 'themselves' : 'itself'}`;
  const rest = waiting.length === 0 ? '' : `; ${waiting.join(', ')} ${waiting.length > 1 ? 'wait' : 'waits'} for that`;
  return [`STUCK  ${name}: ${first}${rest}`];
}

function mutualLines({
  name,
  configuration,
  backend,
  keeps,
  rule,
  blocked,
  advice,
}: MutualDependency): readonly string[] {
  const others = keeps.filter((one) => one !== backend);
  const backends = [...(keeps.includes(backend) ? [`its own backend ${backend}`] : []), ...others].join(', ');
  return [
    '',
    `  deadlock: webhook ${name} of ${configuration} blocks the recovery of ${backends}`,
    `    ${rule} intercepts, and failurePolicy Fail refuses:`,
    ...blocked.map((write) => `      ${write}`),
    `    fix${advice.helps ? ' (verified)' : ''}: ${advice.text}`,
    ...advice.fields
      .trimEnd()
      .split('\n')
      .map((line) => `      ${line}`),
  ];
}

function outageRunLines({ down, how, tried, blocked, slowest }: OutageRun): readonly string[] {
  const failedBackends = `${down.join(', ')} ${how === 'refuse' ? 'down' : 'hanging'}`;
  const count =
    blocked.length === 0 ? 'nothing is blocked' : `${blocked.length} of ${tried} standard writes are blocked`;
  const isSlow = slowest !== undefined && slowest.milliseconds >= 1000;
  const slow = isSlow ? `; to ${slowest.write} takes ${seconds(slowest.milliseconds)}` : '';
  const causes = [...new Set(blocked.map(causeText))];
  return [
    '',
    `  ${failedBackends}: ${count}${slow}`,
    ...causes.flatMap((cause) => [
      `    ${cause}`,
      ...blocked.filter((one) => causeText(one) === cause).map(({ write }) => `      ${write}`),
    ]),
  ];
}

/** `500 after 10.0 s by a.example.com of a-configuration, rules[0] (CREATE pods)` */
function causeText({ code, by, spent, milliseconds }: BlockedWrite): string {
  const after = milliseconds >= 1000 ? ` after ${seconds(milliseconds)}` : '';
  const failedBackends = by.map(({ name, configuration, rule }) => `${name} of ${configuration}, ${rule}`).join('; ');
  if (failedBackends !== '') return `${code}${after} by ${failedBackends}`;
  const took = spent.map((one) => `${one.name} ${seconds(one.milliseconds)}`).join(', ');
  return `${code}${after}, out of time${took === '' ? '' : `: ${took}`}`;
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const deletableLines = ({ deletable }: OutageReport): readonly string[] =>
  deletable.length === 0 ? [] : ['', `  can be deleted during the outage: ${deletable.join(', ')}`];
