import { Gauge, Histogram, Registry } from 'prom-client';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import { createCertificateMetrics, createRequestMetrics } from './request-metrics.ts';
import {
  createOwnCounters,
  createPluginMetrics,
  createPolicyMetrics,
  createStepMetrics,
  stepLabels,
} from './admission-metrics.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

export interface Metrics {
  readonly record: (finished: FinishedRequest) => void;
  /** For `GET /metrics`. */
  readonly registry: Registry;
}

/** `now` in milliseconds since 1970. Follows apiserver pkg/admission/metrics/metrics.go (rules MET-1, MET-6). */
export function createMetrics(now: () => number): Metrics {
  const registry = new Registry();
  const recordStep = createStepMetrics(registry);
  const recordPlugins = createPluginMetrics(registry);
  const recordCounts = createOwnCounters(registry);
  const recordWebhook = createWebhookMetrics(registry);
  const recordPolicy = createPolicyMetrics(registry);
  const recordRequest = createRequestMetrics(registry);
  const recordCertificate = createCertificateMetrics(registry);
  addCelMetrics(registry);
  addProcessMetrics(registry);
  const recordAdmission = ({ journal }: FinishedRequest): void => {
    for (const entry of journal.entries()) {
      if (entry.type !== 'admission' || !entry.pass) continue;
      const { phase, result, pass } = entry;
      const { operation, startedAt, finishedAt } = pass;
      const labels = stepLabels(operation, phase, result.verdict.outcome === 'refused');
      recordStep(labels, (finishedAt - startedAt) / 1000);
      recordPlugins(result, phase, operation);
      recordCounts(result.counts ?? []);
      for (const record of result.records) {
        if (record.type === 'webhook') recordWebhook(record, operation);
        if (record.type === 'policy') recordPolicy(record);
      }
    }
  };
  return {
    record: (finished) => {
      recordRequest(finished, now());
      recordAdmission(finished);
      recordCertificate(finished);
    },
    registry,
  };
}

/** CEL durations of custom resource schemas: always present in kube-apiserver, always zero here. */
function addCelMetrics(registry: Registry): void {
  for (const what of ['compilation', 'evaluation']) {
    const histogram = new Histogram({
      name: `apiserver_cel_${what}_duration_seconds`,
      help: `[BETA] How long the ${what} of CEL in custom resource schemas took.`,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
    histogram.zero({});
  }
}

/** Names of Go's process collector. */
const gauges = [
  {
    name: 'process_cpu_seconds_total',
    help: 'User and system time of the process, in seconds.',
    value: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process, in bytes.',
    value: () => process.memoryUsage.rss(),
  },
  {
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    value: () => performance.timeOrigin / 1000,
  },
];

function addProcessMetrics(registry: Registry): void {
  for (const { name, help, value } of gauges) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(value()) });
  }
}
