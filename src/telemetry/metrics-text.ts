import type { Family, Labels, Sample } from './family.ts';

export interface MetricsPage {
  readonly contentType: string;
  readonly body: string;
}

/** The families in Prometheus' text format, in the order in which its Go client gathers them. prom-client is loaded when the first page is asked for. */
export async function metricsPage(families: readonly Family[]): Promise<MetricsPage> {
  const { default: client } = await import('prom-client');
  const registry = new client.Registry();
  for (const { name, help, type, samples } of families.toSorted((a, b) => compare(a.name, b.name))) {
    // Everything is counted already; the registry asks for it and prints it.
    const get = async () => ({
      name,
      help,
      type,
      values: inOrder(samples()).map(({ suffix, labels, value }) => ({
        metricName: `${name}${suffix}`,
        labels,
        value,
      })),
    });
    registry.registerMetric(Object.assign(new client.Gauge({ name, help, registers: [] }), { get }));
  }
  return { contentType: registry.contentType, body: await registry.metrics() };
}

/** Series by the values of their labels; what belongs to one stays as it is. Follows client_golang prometheus/internal/metric.go. */
function inOrder(samples: readonly Sample[]): readonly Sample[] {
  const keyed = samples.map((sample) => ({ sample, key: keyOf(sample.labels) }));
  return keyed.toSorted((a, b) => compare(a.key, b.key)).map(({ sample }) => sample);
}

const keyOf = (labels: Labels): string =>
  Object.keys(labels)
    .filter((name) => name !== 'le' && name !== 'quantile')
    .toSorted()
    .map((name) => labels[name])
    .join('\0');

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
