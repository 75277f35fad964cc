import { append } from '../apimachinery/append.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import type { Status } from '../apimachinery/status.ts';
import type { AdmissionRecord, AdmissionResult, AuditAnnotation } from './outcome.ts';

/** What a pass, or a plugin's part of it, has said so far. */
export interface PassLog {
  readonly record: (record: AdmissionRecord) => void;
  readonly warn: (warnings: readonly string[]) => void;
  readonly annotate: (annotations: readonly AuditAnnotation[]) => void;
  /** Takes over everything that part of the pass said. */
  readonly adopt: (part: AdmissionResult) => void;
  /** Closes the log: refused if there is a refusal, else admitted with the object. */
  readonly result: (refusal: Status | undefined, object: KubernetesObject | null) => AdmissionResult;
}

export function createPassLog(): PassLog {
  const records: AdmissionRecord[] = [];
  const warnings: string[] = [];
  const annotations: AuditAnnotation[] = [];
  return {
    record: (record) => void records.push(record),
    warn: (texts) => append(warnings, texts),
    annotate: (more) => append(annotations, more),
    // Of twenty plugins hardly one says more than that it has looked.
    adopt: (part) => {
      append(records, part.records);
      if (part.warnings.length > 0) append(warnings, part.warnings);
      if (part.annotations.length > 0) append(annotations, part.annotations);
    },
    result: (refusal, object) => ({
      verdict: refusal ? { outcome: 'refused', status: refusal } : { outcome: 'admitted', object },
      records,
      warnings,
      annotations,
    }),
  };
}
