import { availableParallelism } from 'node:os';
import type { Shard } from '../../../testing/scenario/plan-runs.ts';
import { readDuration } from '../../../testing/scenario/read/duration.ts';
import { limitText, usualLimits } from '../../../testing/scenario/run-limits.ts';
import {
  kubernetesVersionFlag,
  readBoolean,
  readChoice,
  readText,
} from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagReading, FlagsOf } from '../../../adapters/config/flags/flags.ts';

export const reportKinds = ['pretty', 'junit', 'tap', 'json', 'github', 'sarif'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** A report and where it goes; '' is standard output. */
export interface WantedReport {
  readonly kind: ReportKind;
  readonly file: string;
}

/** What `kadmit test` was told. '' and [] mean "not given". */
export interface TestOptions {
  readonly filter: RegExp | undefined;
  readonly shard: Shard;
  readonly parallel: number;
  readonly failFast: boolean;
  /** Milliseconds; 0: none. */
  readonly timeout: number;
  readonly scenarioTimeout: number;
  readonly stepTimeout: number;
  readonly noScripts: boolean;
  readonly clock: 'real' | 'virtual' | undefined;
  readonly kubernetesVersion: string;
  readonly update: boolean;
  readonly watch: boolean;
  readonly report: readonly WantedReport[];
  readonly traceDir: string;
  readonly target: string;
  readonly compareWith: string;
  readonly stubAddress: string;
  readonly outage: boolean;
  readonly coverage: boolean;
  /** A URL or the file of a script. */
  readonly webhook: string;
  readonly ca: string;
  readonly insecure: boolean;
  readonly init: string;
}

const switchFlag = (name: string, help: string) =>
  ({ name, argument: 'true|false', help, fallback: false, read: readBoolean, isSwitch: true }) as const;

const fileFlag = (name: string, argument: string, help: string) =>
  ({ name, argument, help, fallback: '', read: readText }) as const;

const durationFlag = (name: string, what: string, fallback: number): Flag<number> => ({
  name,
  argument: 'TIME',
  help: `the time ${what}, such as 90s or 10m${fallback === 0 ? '; as long as it takes when it is left out' : ` (${limitText(fallback)})`}`,
  fallback,
  read: readTime,
});

export const testFlags: FlagsOf<TestOptions> = {
  filter: {
    name: 'filter',
    argument: 'TEXT|/RE/',
    help: 'only scenarios with this in their name, combination or file',
    fallback: undefined,
    read: readFilter,
  },
  shard: {
    name: 'shard',
    argument: 'INDEX/COUNT',
    help: 'one of COUNT parts, for several machines: --shard 1/3',
    fallback: { index: 1, count: 1 },
    read: readShard,
  },
  parallel: {
    name: 'parallel',
    argument: 'NUMBER',
    help: 'how many run at the same time; as many as there are processors when it is left out',
    fallback: availableParallelism(),
    read: readCount,
  },
  failFast: switchFlag('fail-fast', 'begin no other scenario after the first that fails'),
  timeout: durationFlag('timeout', 'for the whole run; what is not over then has failed', 0),
  scenarioTimeout: durationFlag('scenario-timeout', 'for each scenario', usualLimits.scenario),
  stepTimeout: durationFlag('step-timeout', 'for each step', usualLimits.step),
  noScripts: switchFlag('no-scripts', 'load no script: leave out the scenarios that need one'),
  clock: {
    name: 'clock',
    argument: 'real|virtual',
    help: 'the clock of all scenarios, whatever they say',
    fallback: undefined,
    read: readChoice<'real' | 'virtual'>(['real', 'virtual']),
  },
  kubernetesVersion: kubernetesVersionFlag,
  update: switchFlag('update', 'write golden files that differ instead of failing'),
  watch: switchFlag('watch', 'run again what a changed file belongs to; enter runs all, q quits'),
  report: {
    name: 'report',
    argument: `${reportKinds.join('|')}[=FILE]`,
    help: 'a report, on standard output or in a file; repeatable',
    fallback: [],
    read: readReports,
  },
  traceDir: fileFlag(
    'trace-dir',
    'FOLDER',
    'write the trace of every step there, and one page for each scenario that failed',
  ),
  target: fileFlag('target', 'KUBECONFIG', 'run against this cluster instead of kadmit'),
  compareWith: fileFlag('compare-with', 'KUBECONFIG', 'also run against this cluster, and show where it differs'),
  stubAddress: fileFlag(
    'stub-address',
    'HOST',
    'where that cluster reaches the stubs on this machine, which then listen on all its addresses',
  ),
  coverage: switchFlag(
    'coverage',
    'say which webhooks, policies and branches of their expressions the steps exercised',
  ),
  outage: switchFlag('outage', 'take every webhook down in turn, and say whether the cluster can recover'),
  webhook: fileFlag(
    'webhook',
    'URL|SCRIPT',
    'PATH has AdmissionReviews instead of scenarios: ask this webhook all of them',
  ),
  ca: fileFlag('ca', 'FILE', 'of --webhook: the authority of its certificate'),
  insecure: switchFlag('insecure', 'of --webhook: take any certificate'),
  init: fileFlag('init', 'FOLDER', 'write a first scenario there, and run nothing'),
};

function readFilter(texts: readonly string[]): FlagReading<RegExp | undefined> {
  const text = texts.at(-1) ?? '';
  const [, source = '', flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  if (source === '') return { outcome: 'read', value: new RegExp(literal(text), 'i') };
  try {
    return { outcome: 'read', value: new RegExp(source, flags) };
  } catch (error) {
    return { outcome: 'wrong', problem: `is no regular expression: ${error instanceof Error ? error.message : ''}` };
  }
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

function readShard(texts: readonly string[]): FlagReading<Shard> {
  const [, index = '', count = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(texts.at(-1) ?? '') ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return { outcome: 'read', value: shard };
  return { outcome: 'wrong', problem: 'is not INDEX/COUNT: give one such as 1/3' };
}

function readTime(texts: readonly string[]): FlagReading<number> {
  const text = texts.at(-1) ?? '';
  const milliseconds = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text) ? readDuration(text) : 0;
  // Longer ones are none for a timer.
  if (milliseconds >= 1 && milliseconds < 2 ** 31) return { outcome: 'read', value: milliseconds };
  return { outcome: 'wrong', problem: 'is not a time: give one such as 90s or 10m' };
}

function readCount(texts: readonly string[]): FlagReading<number> {
  const text = texts.at(-1) ?? '';
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1) return { outcome: 'read', value: Number(text) };
  return { outcome: 'wrong', problem: 'is not a number from 1 to 999' };
}

function readReports(texts: readonly string[]): FlagReading<readonly WantedReport[]> {
  const reports: WantedReport[] = [];
  for (const text of texts) {
    const [name = '', ...file] = text.split('=');
    const kind = reportKinds.find((one) => one === name);
    if (!kind) return { outcome: 'wrong', problem: `is none of ${reportKinds.join(', ')}, perhaps with =FILE` };
    reports.push({ kind, file: file.join('=') });
  }
  return { outcome: 'read', value: reports };
}

export function testHelp(): string {
  const lines = Object.values(testFlags).flatMap(({ name, argument, help, isSwitch }) => [
    `  --${name}${isSwitch ? '' : ` ${argument}`}`,
    `        ${help}`,
  ]);
  return [
    'usage: kadmit test PATH... [FLAGS]',
    '       kadmit test --init FOLDER',
    '',
    'Runs scenarios: PATH is a scenario.yaml, or a folder that is searched for them. docs/reference/scenario-format.md says what',
    'stands in one. With --webhook PATH has AdmissionReviews, and that one webhook is asked all of them.',
    'Exit code 0: all passed; 1: one failed; 2: bad usage, or a file that cannot be read.',
    '',
    ...lines,
  ].join('\n');
}
