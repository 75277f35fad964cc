import { Histogram, Registry } from 'prom-client';
import type { Finished } from '../../apiserver/request/handle.ts';
import { createCertificateMetrics } from './certificate-metrics.ts';
import { createOwnCounters } from './own-counters.ts';
import { createPluginMetrics } from './plugin-metrics.ts';
import { createPolicyMetrics } from './policy-metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { createStepMetrics, stepLabels } from './step-metrics.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

export interface Metrics {
  readonly record: (finished: Finished) => void;
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
  const recordAdmission = ({ journal }: Finished): void => {
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
