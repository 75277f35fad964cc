import { Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { AdmissionPhase } from '../../apiserver/admission/chain/admission-phase.ts';
import type { AdmissionResult } from '../../apiserver/admission/chain/outcome.ts';
import { stepLabels } from './step-metrics.ts';

export type RecordPlugins = (
  result: Pick<AdmissionResult, 'records' | 'calling'>,
  phase: AdmissionPhase,
  operation: string,
) => void;

/** Follows apiserver pkg/admission/metrics/metrics.go ObserveAdmissionController (rule MET-6). */
export function createPluginMetrics(registry: Registry): RecordPlugins {
  const duration = new Histogram({
    name: 'apiserver_admission_controller_admission_duration_seconds',
    help: '[STABLE] How long each admission plugin took.',
    labelNames: ['name', 'operation', 'rejected', 'type'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5],
    registers: [registry],
  });
  return ({ records, calling = [] }, phase, operation) => {
    const observe = (name: string, isRejected: boolean, milliseconds: number): void =>
      duration.observe({ name, ...stepLabels(operation, phase, isRejected) }, milliseconds / 1000);
    for (const record of records) {
      if (record.type !== 'plugin') continue;
      observe(record.plugin, record.outcome.outcome === 'denied', record.finishedAt - record.startedAt);
    }
    for (const { plugin, rejected, startedAt, finishedAt } of calling)
      observe(plugin, rejected, finishedAt - startedAt);
  };
}
