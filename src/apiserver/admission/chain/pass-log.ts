import { append } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import { unchanged } from './builtin-in-chain.ts';
import type { AdmissionRecord, AdmissionResult, AuditAnnotation, PluginRecord } from './outcome.ts';

export interface PassLog {
  readonly record: (record: AdmissionRecord) => void;
  /** Adds a record for a plugin that does not handle the resource. */
  readonly idle: (plugin: string, seen: Seen) => void;
  readonly warn: (warnings: readonly string[]) => void;
  readonly annotate: (annotations: readonly AuditAnnotation[]) => void;
  /** Adds the records of a part of the pass. */
  readonly adopt: (part: AdmissionResult) => void;
  /** Refused if there is a refusal, else admitted. */
  readonly result: (refusal: Status | undefined, object: KubernetesObject | null) => AdmissionResult;
}

interface Seen extends Pick<PluginRecord, 'phase' | 'round' | 'object'> {
  readonly at: number;
}

export function createPassLog(): PassLog {
  const records: AdmissionRecord[] = [];
  const warnings: string[] = [];
  const annotations: AuditAnnotation[] = [];
  return {
    record: (record) => void records.push(record),
    idle: (plugin, { phase, round, object, at }) => {
      const times = { startedAt: at, finishedAt: at };
      records.push({ type: 'plugin', plugin, phase, round, outcome: unchanged, object, warnings: [], ...times });
    },
    warn: (texts) => append(warnings, texts),
    annotate: (more) => append(annotations, more),
    adopt: (part) => {
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
