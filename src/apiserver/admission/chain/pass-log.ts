import { append } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { AdmissionRecord, AdmissionResult, AuditAnnotation, PassedPlugins } from './outcome.ts';

export interface PassLog {
  readonly record: (record: AdmissionRecord) => void;
  /** Records a plugin that changed nothing, or does not handle the resource. */
  readonly passed: (
    plugin: string,
    seen: Omit<PassedPlugins, 'type' | 'names' | 'times'>,
    startedAt: number,
    finishedAt: number,
  ) => void;
  readonly warn: (warnings: readonly string[]) => void;
  readonly annotate: (annotations: readonly AuditAnnotation[]) => void;
  /** Adds the records of a part of the pass. */
  readonly append: (part: AdmissionResult) => void;
  /** Refused if there is a refusal, else admitted. */
  readonly result: (refusal: Status | undefined, object: KubernetesObject | null) => AdmissionResult;
}

interface OpenRun extends PassedPlugins {
  readonly names: string[];
  readonly times: number[];
}

export function createPassLog(): PassLog {
  const records: AdmissionRecord[] = [];
  const warnings: string[] = [];
  const annotations: AuditAnnotation[] = [];
  let run: OpenRun | undefined;
  return {
    record: (record) => void records.push(record),
    passed: (plugin, { phase, round, object }, startedAt, finishedAt) => {
      if (!run || records.at(-1) !== run || run.object !== object) {
        run = { type: 'passed-plugins', phase, round, object, names: [], times: [] };
        records.push(run);
      }
      run.names.push(plugin);
      run.times.push(startedAt, finishedAt);
    },
    warn: (texts) => append(warnings, texts),
    annotate: (more) => append(annotations, more),
    append: (part) => {
      append(records, part.records);
      append(warnings, part.warnings);
      append(annotations, part.annotations);
    },
    result: (refusal, object) => ({
      verdict: refusal ? { outcome: 'refused', status: refusal } : { outcome: 'admitted', object },
      records,
      warnings,
      annotations,
    }),
  };
}
