import type { Finished } from '../request/handle.ts';
import { createTiming } from './timing.ts';
import type { Family } from './family.ts';
import { createPluginMetrics } from './plugin-metrics.ts';
import { processFamilies } from './process-metrics.ts';
import { createSummary } from './quantiles.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

/** The metrics of one server: counted from finished requests, printed when somebody asks. */
export interface Metrics {
  readonly record: (finished: Finished) => void;
  readonly families: readonly Family[];
}

const stepLabels = ['operation', 'rejected', 'type'];
const stepName = 'apiserver_admission_step_admission_duration_seconds';

/** `now` in milliseconds since 1970. Follows apiserver pkg/admission/metrics/metrics.go (rules MET-1, MET-6). */
export function createMetrics(now: () => number): Metrics {
  const step = createTiming({
    name: stepName,
    help: '[STABLE] How long the mutating and the validating half of admission took.',
    labels: stepLabels,
    bounds: [0.005, 0.025, 0.1, 0.5, 1, 2.5],
  });
  const summary = createSummary(
    `${stepName}_summary`,
    '[ALPHA] How long the mutating and the validating half of admission took.',
    stepLabels,
  );
  const plugins = createPluginMetrics();
  const webhooks = createWebhookMetrics();
  const requests = createRequestMetrics();
  const recordAdmission = ({ journal }: Finished): void => {
    for (const entry of journal.entries()) {
      if (entry.type !== 'admission' || !entry.pass) continue;
      const { phase, result, pass } = entry;
      const { operation, startedAt, finishedAt } = pass;
      const type = phase === 'mutating' ? 'admit' : 'validate';
      const rejected = result.verdict.outcome === 'refused' ? 'true' : 'false';
      step.observe((finishedAt - startedAt) / 1000, operation, rejected, type);
      summary.observe((finishedAt - startedAt) / 1000, finishedAt, operation, rejected, type);
      plugins.record(result.records, phase, operation);
      for (const record of result.records) if (record.type === 'webhook') webhooks.record(record, operation);
    }
  };
  return {
    record: (finished) => {
      requests.record(finished, now());
      recordAdmission(finished);
    },
    families: [
      step.family,
      summary.family(now),
      plugins.family,
      ...webhooks.families,
      ...celFamilies(),
      ...requests.families,
      ...processFamilies(),
    ],
  };
}

const celBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Upstream times CEL in the schemas of custom resources only, of which there are none here. */
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
