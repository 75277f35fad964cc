import type { Labels, Sample } from './family.ts';

/** Counts of one series. It changes with every observation: many are made for each request. */
export interface HistogramCell {
  readonly bounds: readonly number[];
  /** By bucket, not summed up; the last is what is above all bounds. */
  readonly counts: number[];
  sum: number;
}

/** `bounds` in seconds, least first. */
export const createCell = (bounds: readonly number[]): HistogramCell => ({
  bounds,
  counts: Array.from({ length: bounds.length + 1 }, () => 0),
  sum: 0,
});

export function observe(cell: HistogramCell, seconds: number): void {
  const { bounds, counts } = cell;
  let bucket = 0;
  while (bucket < bounds.length && seconds > (bounds[bucket] ?? Infinity)) bucket += 1;
  counts[bucket] = (counts[bucket] ?? 0) + 1;
  cell.sum += seconds; // oxlint-disable-line no-param-reassign -- it counts in place
}

/** The series as Prometheus prints it: each bucket holds those below it. */
export function histogramSamples({ bounds, counts, sum }: HistogramCell, labels: Labels): readonly Sample[] {
  let count = 0;
  const buckets = counts.map((inBucket, index): Sample => {
    count += inBucket;
    const bound = bounds[index];
    return {
      suffix: '_bucket',
      labels: { ...labels, le: bound === undefined ? '+Inf' : String(bound) },
      value: count,
    };
  });
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
}
