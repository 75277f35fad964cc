import type { Labels, Sample } from './family.ts';

/** What a summary keeps of one series: its newest observations, and the count and sum of all. */
export interface Kept {
  readonly seconds: Float64Array;
  readonly at: Float64Array;
  count: number;
  sum: number;
}

const mostKept = 1024;
const maxAgeMs = 5 * 60 * 60 * 1000;
const quantiles = [0.5, 0.9, 0.99];

export const createKept = (): Kept => ({
  seconds: new Float64Array(mostKept),
  at: new Float64Array(mostKept),
  count: 0,
  sum: 0,
});

/** `at` in milliseconds. */
export function keep(kept: Kept, seconds: number, at: number): void {
  const slot = kept.count % mostKept;
  kept.seconds[slot] = seconds;
  kept.at[slot] = at;
  kept.count += 1; // oxlint-disable-line no-param-reassign -- it counts in place
  kept.sum += seconds; // oxlint-disable-line no-param-reassign -- it counts in place
}

/** Quantiles of the last 1,024 observations of five hours; upstream estimates them over all of five hours. */
export function quantileSamples({ seconds, at, count, sum }: Kept, labels: Labels, now: number): readonly Sample[] {
  const fresh = seconds
    .slice(0, Math.min(count, mostKept))
    .filter((_one, slot) => (at[slot] ?? 0) >= now - maxAgeMs)
    .toSorted();
  const quantile = (share: number): number => fresh[Math.ceil(share * fresh.length) - 1] ?? Number.NaN;
  return [
    ...quantiles.map((share): Sample => ({
      suffix: '',
      labels: { ...labels, quantile: String(share) },
      value: quantile(share),
    })),
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}
