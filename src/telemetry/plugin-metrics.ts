import type { AdmissionResult } from '../admission/outcome.ts';
import type { AdmissionPhase } from '../admission/admission-phase.ts';
import { labelsOf, slotOf } from './admission-slot.ts';
import type { Family } from './family.ts';
import { createCell, histogramSamples, observe } from './histogram.ts';
import type { HistogramCell } from './histogram.ts';

type Passed = Pick<AdmissionResult, 'records' | 'calling'>;

/** Times every plugin of every pass: some forty for a create, so it looks up no texts but their names. */
export interface PluginMetrics {
  readonly record: (result: Passed, phase: AdmissionPhase, operation: string) => void;
  readonly family: Family;
}

const bounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
/** Follows apiserver pkg/admission/metrics/metrics.go ObserveAdmissionController (rule MET-6). */
export function createPluginMetrics(): PluginMetrics {
  const plugins = new Map<string, (HistogramCell | undefined)[]>();
  const cellOf = (plugin: string, slot: number): HistogramCell => {
    const cells = plugins.get(plugin) ?? [];
    if (cells.length === 0) plugins.set(plugin, cells);
    return (cells[slot] ??= createCell(bounds));
  };
  return {
    record: ({ records, calling = [] }, phase, operation) => {
      const passed = slotOf(operation, phase, false);
      const denied = slotOf(operation, phase, true);
      for (const record of records) {
        if (record.type !== 'plugin') continue;
        const slot = record.outcome.outcome === 'denied' ? denied : passed;
        const cell = plugins.get(record.plugin)?.[slot] ?? cellOf(record.plugin, slot);
        // Most have nothing to do and take no time: below every bound, and nothing is added up.
        if (record.finishedAt === record.startedAt) cell.counts[0] = (cell.counts[0] ?? 0) + 1;
        else observe(cell, (record.finishedAt - record.startedAt) / 1000);
      }
      for (const { plugin, rejected, startedAt, finishedAt } of calling) {
        observe(cellOf(plugin, rejected ? denied : passed), (finishedAt - startedAt) / 1000);
      }
    },
    family: {
      name: 'apiserver_admission_controller_admission_duration_seconds',
      help: '[STABLE] How long each admission plugin took.',
      type: 'histogram',
      samples: () => [...plugins].flatMap(([name, cells]) => cells.flatMap((cell, slot) => seriesOf(name, slot, cell))),
    },
  };
}

const seriesOf = (name: string, slot: number, cell: HistogramCell | undefined): ReturnType<typeof histogramSamples> =>
  cell ? histogramSamples(cell, { name, ...labelsOf(slot) }) : [];
