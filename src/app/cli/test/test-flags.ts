import { availableParallelism } from 'node:os';
import {
  kubernetesVersionFlag,
  outputFlag,
  readChoice,
  switchFlag,
  textFlag,
} from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagReading } from '../../../adapters/config/flags/flags.ts';
import type { Shard } from '../../../testing/scenario/plan-runs.ts';
import { coverageMeasures, type CoverageThreshold } from '../../../testing/scenario/report/coverage.ts';
import { durationMs } from '../../../testing/scenario/read/scalar-text.ts';
import { formatLimit, defaultLimits } from '../../../testing/scenario/run-limits.ts';
import type { OptionsOf } from '../command.ts';
import { escapeRegExp } from '../../../machinery/go/strings.ts';

export const reportKinds = ['pretty', 'junit', 'tap', 'json', 'github', 'sarif'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** '' is standard output. */
export interface RequestedReport {
  readonly kind: ReportKind;
  readonly file: string;
}

const durationFlag = (name: string, what: string, fallback: number): Flag<number> => ({
  name,
  argument: 'TIME',
  help: `time ${what}, such as 90s or 10m`,
  fallback,
  shownFallback: fallback === 0 ? 'none' : formatLimit(fallback),
  read: readTime,
});

/** '' and [] are absent flags; times in milliseconds. */
export type TestOptions = OptionsOf<typeof testFlags>;

export const testFlags = {
  filter: {
    name: 'filter',
    short: 't',
    argument: 'TEXT|/RE/',
    help: 'only scenarios whose name, combination or file contains this',
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
    help: 'scenarios at the same time; default: the number of processors',
    fallback: availableParallelism(),
    shownFallback: '',
    read: readCount,
  },
  bail: switchFlag('bail', 'start no scenario after the first failure'),
  timeout: durationFlag('timeout', 'limit of the whole run; unfinished scenarios fail', 0),
  scenarioTimeout: durationFlag('scenario-timeout', 'limit of each scenario', defaultLimits.scenario),
  stepTimeout: durationFlag('step-timeout', 'limit of each step', defaultLimits.step),
  noScripts: switchFlag('no-scripts', 'skip scenarios that need a script'),
  clock: {
    name: 'clock',
    argument: 'real|virtual',
    help: 'clock of all scenarios',
    fallback: undefined,
    read: readChoice<'real' | 'virtual'>(['real', 'virtual']),
  },
  kubernetesVersion: kubernetesVersionFlag,
  update: { ...switchFlag('update', 'write golden files that differ instead of failing'), short: 'u' },
  watch: switchFlag('watch', 'rerun the scenarios of changed files; enter runs all, q quits'),
  report: {
    name: 'report',
    argument: `${reportKinds.join('|')}[=FILE]`,
    help: 'report on standard output or in a file; repeatable',
    fallback: [],
    read: readReports,
  },
  /** `json` is a report on standard output; `yaml` the same document. */
  output: { ...outputFlag, help: 'output format; json is --report json' },
  traceDir: textFlag('trace-dir', 'FOLDER', 'write the trace of each step, and a page for each failed scenario'),
  target: textFlag('target', 'KUBECONFIG', 'run against this cluster instead of kadmit'),
  compareWith: textFlag('compare-with', 'KUBECONFIG', 'also run against this cluster and show differences'),
  stubAddress: textFlag(
    'stub-address',
    'HOST',
    'address of this machine for that cluster; the stubs then listen on all addresses',
  ),
  coverage: switchFlag('coverage', 'show which webhooks, policies and branches of expressions were exercised'),
  coverageThreshold: {
    name: 'coverage-threshold',
    argument: '[MEASURE=]PERCENT',
    help: `fail below this coverage of ${coverageMeasures.slice(0, -1).join(', ')} or ${coverageMeasures.at(-1) ?? ''}, of each one without MEASURE; comma-separated or repeatable`,
    fallback: [],
    read: readThresholds,
  },
  outage: switchFlag('outage', 'take each webhook down in turn and check that the cluster can recover'),
  call: textFlag('call', 'URL|SCRIPT', 'call this webhook with the AdmissionReviews of PATH'),
  ca: textFlag('ca', 'FILE', 'CA certificates (PEM) for --call'),
  insecure: switchFlag('insecure', 'accept any certificate of --call'),
  init: textFlag('init', 'FOLDER', 'write a first scenario there and exit'),
};

const maxFilterLength = 1000;

function readFilter(texts: readonly string[]): FlagReading<RegExp | undefined> {
  const text = texts.at(-1) ?? '';
  const [, source = '', flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  if (text.length > maxFilterLength)
    return { outcome: 'wrong', problem: `is longer than ${maxFilterLength} characters` };
  if (source === '') return { outcome: 'read', value: new RegExp(escapeRegExp(text), 'i') };
  try {
    return { outcome: 'read', value: new RegExp(source, flags) };
  } catch (error) {
    return { outcome: 'wrong', problem: `is no regular expression: ${error instanceof Error ? error.message : ''}` };
  }
}

function readShard(texts: readonly string[]): FlagReading<Shard> {
  const [, index = '', count = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(texts.at(-1) ?? '') ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return { outcome: 'read', value: shard };
  return { outcome: 'wrong', problem: 'is not INDEX/COUNT: give one such as 1/3' };
}

function readTime(texts: readonly string[]): FlagReading<number> {
  const text = texts.at(-1) ?? '';
  const milliseconds = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text) ? durationMs(text) : 0;
  // Longer ones are none for a timer.
  if (milliseconds >= 1 && milliseconds < 2 ** 31) return { outcome: 'read', value: milliseconds };
  return { outcome: 'wrong', problem: 'is not a time: give one such as 90s or 10m' };
}

function readCount(texts: readonly string[]): FlagReading<number> {
  const text = texts.at(-1) ?? '';
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1) return { outcome: 'read', value: Number(text) };
  return { outcome: 'wrong', problem: 'is not a number from 1 to 999' };
}

function readThresholds(texts: readonly string[]): FlagReading<readonly CoverageThreshold[]> {
  const thresholds: CoverageThreshold[] = [];
  for (const text of texts.flatMap((list) => list.split(','))) {
    const { name, percent = '' } =
      /^(?:(?<name>[^=]*)=)?(?<percent>\d{1,3}(?:\.\d{1,2})?)%?$/.exec(text.trim())?.groups ?? {};
    const measure = name === undefined ? 'all' : coverageMeasures.find((one) => one === name);
    if (percent === '' || Number(percent) > 100)
      return { outcome: 'wrong', problem: 'is not [MEASURE=]PERCENT: give one such as 80 or branches=80' };
    if (!measure) return { outcome: 'wrong', problem: `names none of ${coverageMeasures.join(', ')}` };
    thresholds.push({ measure, percent: Number(percent) });
  }
  return { outcome: 'read', value: thresholds };
}

function readReports(texts: readonly string[]): FlagReading<readonly RequestedReport[]> {
  const reports: RequestedReport[] = [];
  for (const text of texts) {
    const [name = '', ...file] = text.split('=');
    const kind = reportKinds.find((one) => one === name);
    if (!kind) return { outcome: 'wrong', problem: `is none of ${reportKinds.join(', ')}, perhaps with =FILE` };
    reports.push({ kind, file: file.join('=') });
  }
  return { outcome: 'read', value: reports };
}
