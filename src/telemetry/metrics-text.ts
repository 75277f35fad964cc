import type { Family } from './family.ts';

export interface MetricsPage {
  readonly contentType: string;
  readonly body: string;
}

/** The families in Prometheus' text format. prom-client is loaded when the first page is asked for. */
export async function metricsPage(families: readonly Family[]): Promise<MetricsPage> {
  const { default: client } = await import('prom-client');
  const registry = new client.Registry();
  for (const { name, help, type, samples } of families) {
    // Everything is counted already; the registry asks for it and prints it.
    const get = async () => ({
      name,
      help,
      type,
      values: samples().map(({ suffix, labels, value }) => ({ metricName: `${name}${suffix}`, labels, value })),
    });
    registry.registerMetric(Object.assign(new client.Gauge({ name, help, registers: [] }), { get }));
  }
  return { contentType: registry.contentType, body: await registry.metrics() };
}
