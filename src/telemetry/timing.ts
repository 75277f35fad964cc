import type { Family } from './family.ts';
import { createCell, histogramSamples, observe } from './histogram.ts';
import { createSeries } from './series.ts';

/** Something whose time is measured. */
export interface Timing {
  /** Seconds, and the values that follow the names of the labels. */
  readonly observe: (seconds: number, ...values: readonly string[]) => void;
  readonly family: Family;
}

export interface TimingOptions {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** In seconds, least first. */
  readonly bounds: readonly number[];
}

/** A metric without labels is there from the start, with zeros. */
export function createTiming({ name, help, labels, bounds }: TimingOptions): Timing {
  const series = createSeries(labels, () => createCell(bounds));
  if (labels.length === 0) series.at();
  return {
    observe: (seconds, ...values) => observe(series.at(...values), seconds),
    family: {
      name,
      help,
      type: 'histogram',
      samples: () => series.all().flatMap(([own, cell]) => histogramSamples(cell, own)),
    },
  };
}
