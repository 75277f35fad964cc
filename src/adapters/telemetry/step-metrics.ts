import { Histogram, Summary } from 'prom-client';
import type { Registry } from 'prom-client';
import type { AdmissionPhase } from '../../apiserver/admission/chain/admission-phase.ts';

export const stepLabels = (operation: string, phase: AdmissionPhase, isRejected: boolean): Record<string, string> => ({
  operation,
  rejected: String(isRejected),
  type: phase === 'mutating' ? 'admit' : 'validate',
});

export type RecordStep = (labels: Record<string, string>, seconds: number) => void;

const name = 'apiserver_admission_step_admission_duration_seconds';
const help = 'How long the mutating and the validating phase of admission took, reinvocation included.';

/** Follows apiserver pkg/admission/metrics/metrics.go ObserveAdmissionStep (rule MET-6). */
export function createStepMetrics(registry: Registry): RecordStep {
  const labelNames = ['operation', 'rejected', 'type'];
  const registers = [registry];
  const duration = new Histogram({
    name,
    help: `[STABLE] ${help}`,
    labelNames,
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5],
    registers,
  });
  const summary = new Summary({
    name: `${name}_summary`,
    help: `[ALPHA] ${help}`,
    labelNames,
    percentiles: [0.5, 0.9, 0.99],
    maxAgeSeconds: 5 * 60 * 60,
    ageBuckets: 5,
    registers,
  });
  return (labels, seconds) => {
    duration.observe(labels, seconds);
    summary.observe(labels, seconds);
  };
}
