import type { Family, Labels, Sample } from './family.ts';
import { createSeries } from './series.ts';

/** What a summary keeps: its newest observations, and the count and sum of all. */
interface Kept {
  readonly seconds: Float64Array;
  readonly at: Float64Array;
  count: number;
  sum: number;
}

const mostKept = 1024;
const maxAgeMs = 5 * 60 * 60 * 1000;
const quantiles = [0.5, 0.9, 0.99];

export interface Summary {
  /** `now` in milliseconds; the values follow the names of the labels. */
  readonly observe: (seconds: number, now: number, ...values: readonly string[]) => void;
  readonly family: (now: () => number) => Family;
}

/** Quantiles of the last 1,024 observations of five hours; upstream estimates them over all of five hours. */
export function createSummary(name: string, help: string, labels: readonly string[]): Summary {
  const series = createSeries(labels, (): Kept => ({
    seconds: new Float64Array(mostKept),
    at: new Float64Array(mostKept),
    count: 0,
    sum: 0,
  }));
  return {
    observe: (seconds, now, ...values) => {
      const kept = series.at(...values);
      const slot = kept.count % mostKept;
      kept.seconds[slot] = seconds;
      kept.at[slot] = now;
      kept.count += 1;
      kept.sum += seconds;
    },
    family: (now) => ({
      name,
      help,
      type: 'summary',
      samples: () => series.all().flatMap(([own, kept]) => samplesOf(kept, own, now() - maxAgeMs)),
    }),
  };
}

function samplesOf({ seconds, at, count, sum }: Kept, labels: Labels, oldest: number): readonly Sample[] {
  const kept = Math.min(count, mostKept);
  const fresh = seconds
    .slice(0, kept)
    .filter((_one, slot) => (at[slot] ?? 0) >= oldest)
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
