/** How long some requests took, in milliseconds; all 0 when there were none. */
export interface Latency {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Percentiles by nearest rank: each is a time that some request really took. */
export function latencyOf(milliseconds: readonly number[]): Latency {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): number => rounded(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  const sum = sorted.reduce((total, one) => total + one, 0);
  return {
    count: sorted.length,
    mean: rounded(sorted.length === 0 ? 0 : sum / sorted.length),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: rounded(sorted.at(-1) ?? 0),
  };
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
