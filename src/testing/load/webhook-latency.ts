/** Calls to a webhook between two readings of the server's metrics. */
export interface WebhookLatency {
  readonly name: string;
  readonly type: 'mutating' | 'validating';
  readonly calls: number;
  readonly rejected: number;
  /** Milliseconds; percentiles are interpolated within a histogram bucket, as Prometheus does. */
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

interface Histogram {
  readonly name: string;
  readonly type: string;
  /** Cumulative counts by upper bound in seconds. */
  readonly buckets: Map<number, number>;
  sum: number;
  count: number;
  rejected: number;
}

const metric = 'apiserver_admission_webhook_admission_duration_seconds';
const sample = new RegExp(`^${metric}_(?<what>bucket|sum|count)\\{(?<labels>.*)\\} (?<value>\\S+)`);

/** Compares two texts of `/metrics`, of kube-apiserver or kadmit. Follows apiserver pkg/admission/metrics/metrics.go. */
export function webhookLatencies(before: string, after: string): readonly WebhookLatency[] {
  const old = parseHistograms(before);
  return [...parseHistograms(after)]
    .flatMap(([key, histogram]): readonly WebhookLatency[] => {
      const delta = subtract(histogram, old.get(key));
      if (delta.count <= 0) return [];
      const quantile = (share: number): number =>
        roundToHundredths(quantileOf(delta.buckets, share * delta.count) * 1000);
      return [
        {
          name: delta.name,
          type: delta.type === 'admit' ? 'mutating' : 'validating',
          calls: delta.count,
          rejected: delta.rejected,
          mean: roundToHundredths((delta.sum / delta.count) * 1000),
          p50: quantile(0.5),
          p95: quantile(0.95),
          p99: quantile(0.99),
        },
      ];
    })
    .toSorted((a, b) => b.p99 - a.p99 || (a.name < b.name ? -1 : 1));
}

function parseHistograms(text: string): ReadonlyMap<string, Histogram> {
  const found = new Map<string, Histogram>();
  for (const line of text.split('\n')) {
    const { what, labels: written = '', value = '' } = sample.exec(line)?.groups ?? {};
    if (what === undefined) continue;
    const labels = parseLabels(written);
    const [name, type] = [labels.get('name') ?? '', labels.get('type') ?? ''];
    const histogram = found.get(`${type} ${name}`) ?? { name, type, buckets: new Map(), sum: 0, count: 0, rejected: 0 };
    found.set(`${type} ${name}`, histogram);
    addSample(histogram, { what, value: Number(value), labels });
  }
  return found;
}

function addSample(
  histogram: Histogram,
  {
    what,
    value,
    labels,
  }: { readonly what: string; readonly value: number; readonly labels: ReadonlyMap<string, string> },
): void {
  if (what === 'sum') histogram.sum += value;
  else if (what === 'count') {
    histogram.count += value;
    if (labels.get('rejected') === 'true') histogram.rejected += value;
  } else {
    const bound = labels.get('le') === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.get('le'));
    histogram.buckets.set(bound, (histogram.buckets.get(bound) ?? 0) + value);
  }
}

const parseLabels = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/\b(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]));

function subtract(now: Histogram, old: Histogram | undefined): Histogram {
  if (old === undefined) return now;
  const buckets = new Map([...now.buckets].map(([bound, count]) => [bound, count - (old.buckets.get(bound) ?? 0)]));
  return {
    ...now,
    buckets,
    sum: now.sum - old.sum,
    count: now.count - old.count,
    rejected: now.rejected - old.rejected,
  };
}

/** The value at a rank; beyond the last finite bound it is that bound. */
function quantileOf(buckets: ReadonlyMap<number, number>, rank: number): number {
  let [lower, below] = [0, 0];
  for (const [bound, count] of [...buckets].toSorted(([a], [b]) => a - b)) {
    if (count >= rank) {
      if (!Number.isFinite(bound)) return lower;
      return count === below ? bound : lower + ((bound - lower) * (rank - below)) / (count - below);
    }
    [lower, below] = [Number.isFinite(bound) ? bound : lower, count];
  }
  return lower;
}

const roundToHundredths = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
