import { labelsOf } from './admission-slot.ts';
import type { Family } from './family.ts';
import { createCell, histogramSamples, observe } from './histogram.ts';
import type { HistogramCell } from './histogram.ts';
import { createKept, keep, quantileSamples } from './quantiles.ts';
import type { Kept } from './quantiles.ts';

/** Times each half of admission as a whole, both rounds of a reinvocation together. */
export interface StepMetrics {
  /** `at` in milliseconds. */
  readonly record: (slot: number, seconds: number, at: number) => void;
  readonly families: readonly Family[];
}

const bounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const name = 'apiserver_admission_step_admission_duration_seconds';

/** Follows apiserver pkg/admission/metrics/metrics.go ObserveAdmissionStep (rule MET-6). */
export function createStepMetrics(now: () => number): StepMetrics {
  const steps: { readonly cell: HistogramCell; readonly kept: Kept }[] = [];
  const help = 'How long the mutating and the validating half of admission took.';
  return {
    record: (slot, seconds, at) => {
      const { cell, kept } = (steps[slot] ??= { cell: createCell(bounds), kept: createKept() });
      observe(cell, seconds);
      keep(kept, seconds, at);
    },
    families: [
      {
        name,
        help: `[STABLE] ${help}`,
        type: 'histogram',
        samples: () => steps.flatMap(({ cell }, slot) => histogramSamples(cell, labelsOf(slot))),
      },
      {
        name: `${name}_summary`,
        help: `[ALPHA] ${help}`,
        type: 'summary',
        samples: () => steps.flatMap(({ kept }, slot) => quantileSamples(kept, labelsOf(slot), now())),
      },
    ],
  };
}
