import { expect, test } from 'vitest';
import type { AdmissionPhase } from '../../../src/apiserver/admission/chain/attributes.ts';
import type { AdmissionRecord, CallingTime } from '../../../src/apiserver/admission/chain/outcome.ts';
import { failure } from '../../../src/machinery/meta/status.ts';
import { Registry } from 'prom-client';
import { createPluginMetrics } from '../../../src/adapters/telemetry/admission-metrics.ts';

const denied = { outcome: 'denied', status: failure({ code: 403, reason: 'Forbidden', message: 'no' }) } as const;

function record(name: string, startedAt: number, finishedAt: number, isDenied = false): AdmissionRecord {
  const about = { phase: 'mutating', round: 0, object: null } as const;
  return isDenied
    ? { ...about, type: 'plugin', plugin: name, outcome: denied, startedAt, finishedAt }
    : { ...about, type: 'passed-plugins', names: [name], times: [startedAt, finishedAt] };
}

const call = (plugin: string, startedAt: number, finishedAt: number, rejected = false): CallingTime => ({
  plugin,
  rejected,
  startedAt,
  finishedAt,
});

interface Pass {
  readonly records?: readonly AdmissionRecord[];
  readonly calling?: readonly CallingTime[];
  readonly phase?: AdmissionPhase;
  readonly operation?: string;
}

/** Of each series its name and labels, how many took no longer than each bound, and their sum. */
async function seriesOf(
  ...passes: readonly Pass[]
): Promise<readonly (readonly [labels: string, buckets: string, sum: number])[]> {
  const registry = new Registry();
  const recordPlugins = createPluginMetrics(registry);
  for (const { records = [], calling = [], phase = 'mutating', operation = 'CREATE' } of passes) {
    recordPlugins({ records, calling }, phase, operation);
  }
  const [metric] = await registry.getMetricsAsJSON();
  return seriesIn((metric?.values ?? []) as readonly Value[]);
}

function seriesIn(values: readonly Value[]): readonly (readonly [labels: string, buckets: string, sum: number])[] {
  const series = new Map<string, { buckets: string; sum: number }>();
  for (const { metricName = '', labels, value } of values) {
    const name = named(labels);
    const one = series.get(name) ?? { buckets: '', sum: 0 };
    series.set(name, one);
    if (metricName.endsWith('_bucket')) one.buckets += ` ${labels['le']}:${value}`;
    if (metricName.endsWith('_sum')) one.sum = value;
  }
  return [...series].map(([name, { buckets, sum }]) => [name, buckets.trim(), sum]);
}

interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const named = ({ name, operation, rejected, type }: Value['labels']): string =>
  [name, operation, type, ...(rejected === 'true' ? ['rejected'] : [])].join(' ');

const from = (...counts: readonly number[]): string =>
  [0.005, 0.025, 0.1, 0.5, 1, 2.5, '+Inf'].map((bound, at) => `${bound}:${counts[at]}`).join(' ');
const all = (count: number): string => from(...Array.from({ length: 7 }, () => count));

// Source: apiserver pkg/admission/metrics/metrics.go ObserveAdmissionController: seconds, by plugin, operation, type and rejected.
test.each<[fact: string, passes: readonly Pass[], series: Awaited<ReturnType<typeof seriesOf>>]>([
  ['no decisions', [], []],
  ['one without a time', [{ records: [record('A', 7000, 7000)] }], [['A CREATE admit', all(1), 0]]],
  [
    'two of them, and two who took longer',
    [
      {
        records: [record('A', 7000, 7000), record('A', 7000, 7000), record('A', 7000, 7005), record('A', 7000, 7500)],
      },
    ],
    [['A CREATE admit', from(3, 3, 3, 4, 4, 4, 4), 0.505]],
  ],
  [
    'one that refused is another series',
    [{ records: [record('A', 0, 0), record('A', 0, 2000, true)] }],
    [
      ['A CREATE admit', all(1), 0],
      ['A CREATE admit rejected', from(0, 0, 0, 0, 0, 1, 1), 2],
    ],
  ],
  [
    'so is another phase, and another operation',
    [
      { records: [record('A', 0, 0)], phase: 'validating' },
      { records: [record('A', 0, 0)], operation: 'DELETE' },
    ],
    [
      ['A CREATE validate', all(1), 0],
      ['A DELETE admit', all(1), 0],
    ],
  ],
  [
    'one that calls',
    [{ calling: [call('W', 1000, 1100), call('W', 1000, 1500), call('W', 1000, 4000, true)] }],
    [
      ['W CREATE admit', from(0, 0, 1, 2, 2, 2, 2), 0.6],
      ['W CREATE admit rejected', from(0, 0, 0, 0, 0, 0, 1), 3],
    ],
  ],
])('the times of plugins: %s', async (_fact, passes, series) => {
  expect(await seriesOf(...passes)).toEqual(series);
});
