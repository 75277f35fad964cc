import type { Finished } from '../request/handle.ts';
import { slotOf } from './admission-slot.ts';
import { createCertificateMetrics } from './certificate-metrics.ts';
import type { Family } from './family.ts';
import { createOwnCounters } from './own-counters.ts';
import { createPluginMetrics } from './plugin-metrics.ts';
import { processFamilies } from './process-metrics.ts';
import { createPolicyMetrics } from './policy-metrics.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { createStepMetrics } from './step-metrics.ts';
import { createTiming } from './timing.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

/** The metrics of one server: counted from finished requests, printed when somebody asks. */
export interface Metrics {
  readonly record: (finished: Finished) => void;
  readonly families: readonly Family[];
}

/** `now` in milliseconds since 1970. Follows apiserver pkg/admission/metrics/metrics.go (rules MET-1, MET-6). */
export function createMetrics(now: () => number): Metrics {
  const steps = createStepMetrics(now);
  const plugins = createPluginMetrics();
  const own = createOwnCounters();
  const webhooks = createWebhookMetrics();
  const policies = createPolicyMetrics();
  const requests = createRequestMetrics();
  const certificates = createCertificateMetrics();
  const recordAdmission = ({ journal }: Finished): void => {
    for (const entry of journal.entries()) {
      if (entry.type !== 'admission' || !entry.pass) continue;
      const { phase, result, pass } = entry;
      const { operation, startedAt, finishedAt } = pass;
      const slot = slotOf(operation, phase, result.verdict.outcome === 'refused');
      steps.record(slot, (finishedAt - startedAt) / 1000, finishedAt);
      plugins.record(result, phase, operation);
      own.record(result.counts ?? []);
      for (const record of result.records) {
        if (record.type === 'webhook') webhooks.record(record, operation);
        if (record.type === 'policy') policies.record(record);
      }
    }
  };
  return {
    record: (finished) => {
      requests.record(finished, now());
      recordAdmission(finished);
      certificates.record(finished);
    },
    families: [
      ...steps.families,
      plugins.family,
      ...webhooks.families,
      ...policies.families,
      ...own.families,
      ...certificates.families,
      ...celFamilies(),
      ...requests.families,
      ...processFamilies(),
    ],
  };
}

const celBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Times of CEL in the schemas of custom resources, which are not measured: they are on every kube-apiserver's page. */
const celFamilies = (): readonly Family[] =>
  ['compilation', 'evaluation'].map(
    (what) =>
      createTiming({
        name: `apiserver_cel_${what}_duration_seconds`,
        help: `[BETA] How long the ${what} of CEL in custom resource schemas took.`,
        labels: [],
        bounds: celBounds,
      }).family,
  );
