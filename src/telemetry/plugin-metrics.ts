import type { AdmissionPhase, AdmissionRecord } from '../admission/outcome.ts';
import { labelsOf, slotOf } from './admission-slot.ts';
import type { Family } from './family.ts';
import { createCell, histogramSamples, observe } from './histogram.ts';
import type { HistogramCell } from './histogram.ts';

/** Times every plugin of every pass: some forty for a create, so it looks up no texts but their names. */
export interface PluginMetrics {
  readonly record: (records: readonly AdmissionRecord[], phase: AdmissionPhase, operation: string) => void;
  readonly family: Family;
}

const bounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const callers: Readonly<Record<AdmissionPhase, string>> = {
  mutating: 'MutatingAdmissionWebhook',
  validating: 'ValidatingAdmissionWebhook',
};

/** Follows apiserver pkg/admission/metrics/metrics.go ObserveAdmissionController (rule MET-6). */
export function createPluginMetrics(): PluginMetrics {
  const plugins = new Map<string, (HistogramCell | undefined)[]>();
  const cellOf = (plugin: string, slot: number): HistogramCell => {
    const cells = plugins.get(plugin) ?? [];
    if (cells.length === 0) plugins.set(plugin, cells);
    return (cells[slot] ??= createCell(bounds));
  };
  return {
    record: (records, phase, operation) => {
      const passed = slotOf(operation, phase, false);
      const denied = slotOf(operation, phase, true);
      for (const record of records) {
        if (record.type !== 'plugin') continue;
        const slot = record.outcome.outcome === 'denied' ? denied : passed;
        observe(cellOf(record.plugin, slot), (record.finishedAt - record.startedAt) / 1000);
      }
      for (const { seconds, rejected } of callingPasses(records)) {
        observe(cellOf(callers[phase], rejected ? denied : passed), seconds);
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

interface CallingPass {
  readonly seconds: number;
  readonly rejected: boolean;
}

/** The plugin that calls webhooks, once for each round in which it considered any: from the first to the last of them. */
function callingPasses(records: readonly AdmissionRecord[]): readonly CallingPass[] {
  if (!records.some(({ type }) => type === 'webhook')) return noPasses;
  const webhooks = records.filter((record) => record.type === 'webhook');
  return [0, 1].flatMap((round) => {
    const turns = webhooks.filter((record) => record.round === round);
    if (turns.length === 0) return [];
    const startedAt = Math.min(...turns.map((turn) => turn.startedAt));
    const finishedAt = Math.max(...turns.map((turn) => turn.finishedAt));
    return [{ seconds: (finishedAt - startedAt) / 1000, rejected: turns.some(({ outcome }) => 'status' in outcome) }];
  });
}

const noPasses: readonly CallingPass[] = Object.freeze([]);
