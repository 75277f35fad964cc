import { expect, test } from 'vitest';
import type { Family, Sample } from '../../src/telemetry/family.ts';
import { metricsPage } from '../../src/telemetry/metrics-text.ts';

const family = (name: string, type: Family['type'], samples: readonly Sample[]): Family => ({
  name,
  help: 'h',
  type,
  samples: () => samples,
});
const sample = (labels: Sample['labels'], value: number, suffix: Sample['suffix'] = ''): Sample => ({
  suffix,
  labels,
  value,
});

/** As a registry of Prometheus' Go client gathers them: prometheus/internal/metric.go NormalizeMetricFamilies. */
test('families are in the order of their names, their series in that of the values of their labels', async () => {
  const { body } = await metricsPage([
    family('b_total', 'counter', [
      sample({ code: '500', verb: 'get' }, 1),
      sample({ code: '200', verb: 'put' }, 2),
      sample({ code: '200', verb: 'get' }, 3),
    ]),
    family('a_seconds', 'histogram', [
      sample({ name: 'y', le: '0.5' }, 1, '_bucket'),
      sample({ name: 'y', le: '+Inf' }, 1, '_bucket'),
      sample({ name: 'y' }, 4, '_sum'),
      sample({ name: 'y' }, 1, '_count'),
      sample({ name: 'x', le: '0.5' }, 2, '_bucket'),
      sample({ name: 'x', le: '+Inf' }, 2, '_bucket'),
      sample({ name: 'x' }, 5, '_sum'),
      sample({ name: 'x' }, 2, '_count'),
    ]),
  ]);
  expect(body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'a_seconds_bucket{name="x",le="0.5"} 2',
    'a_seconds_bucket{name="x",le="+Inf"} 2',
    'a_seconds_sum{name="x"} 5',
    'a_seconds_count{name="x"} 2',
    'a_seconds_bucket{name="y",le="0.5"} 1',
    'a_seconds_bucket{name="y",le="+Inf"} 1',
    'a_seconds_sum{name="y"} 4',
    'a_seconds_count{name="y"} 1',
    'b_total{code="200",verb="get"} 3',
    'b_total{code="200",verb="put"} 2',
    'b_total{code="500",verb="get"} 1',
  ]);
});
