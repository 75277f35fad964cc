import { expect, test } from 'vitest';
import { createCell, histogramSamples, observe } from '../../src/telemetry/histogram.ts';

// Source: Prometheus' exposition format: `le` is inclusive, and a bucket counts what is in those before it too.
test.each<[what: string, observed: readonly number[], counts: readonly number[]]>([
  ['nothing', [], [0, 0, 0, 0, 0]],
  ['what is on a bound belongs to it', [0.1, 0.5], [1, 2, 2, 0.6, 2]],
  ['what is above it does not', [0.11, 0.51], [0, 1, 2, 0.62, 2]],
  ['several in one bucket', [0.05, 0.05, 7], [2, 2, 3, 7.1, 3]],
])('%s', (_what, observed, counts) => {
  const cell = createCell([0.1, 0.5]);
  for (const seconds of observed) observe(cell, seconds);
  const samples = histogramSamples(cell, { verb: 'GET' });
  expect(samples.map(({ suffix, labels }) => `${suffix} ${labels['le'] ?? ''}`.trim())).toEqual([
    '_bucket 0.1',
    '_bucket 0.5',
    '_bucket +Inf',
    '_sum',
    '_count',
  ]);
  expect(samples.map(({ value }) => Number(value.toFixed(6)))).toEqual(counts);
});
