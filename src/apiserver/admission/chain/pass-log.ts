import { append } from '../../../machinery/json/append.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import { unchanged } from './builtin-in-chain.ts';
import type { AdmissionRecord, AdmissionResult, AuditAnnotation, PluginRecord } from './outcome.ts';

/** What a pass, or a plugin's part of it, has said so far. */
export interface PassLog {
  readonly record: (record: AdmissionRecord) => void;
  /** Plugins that have nothing to do for the resource: a record for each, as of one that has looked and left it as it is. */
  readonly idle: (plugins: readonly string[], seen: Seen) => void;
  readonly warn: (warnings: readonly string[]) => void;
  readonly annotate: (annotations: readonly AuditAnnotation[]) => void;
  /** Takes over everything that part of the pass said. */
  readonly adopt: (part: AdmissionResult) => void;
  /** Closes the log: refused if there is a refusal, else admitted with the object. */
  readonly result: (refusal: Status | undefined, object: KubernetesObject | null) => AdmissionResult;
}

/** What idle plugins have in common. */
interface Seen extends Pick<PluginRecord, 'phase' | 'round' | 'object'> {
  readonly at: number;
}

const noWarnings: readonly string[] = Object.freeze([]);

export function createPassLog(): PassLog {
  const records: AdmissionRecord[] = [];
  const warnings: string[] = [];
  const annotations: AuditAnnotation[] = [];
  return {
    record: (record) => void records.push(record),
    idle: (plugins, { phase, round, object, at }) => {
      for (const plugin of plugins) {
        // As resultWith has it: of one shape.
        records.push({
          type: 'plugin',
          plugin,
          phase,
          round,
          outcome: unchanged,
          object,
          warnings: noWarnings,
          startedAt: at,
          finishedAt: at,
        });
      }
    },
    warn: (texts) => append(warnings, texts),
    annotate: (more) => append(annotations, more),
    // Of twenty plugins hardly one says more than that it has looked.
    adopt: (part) => {
      for (const record of part.records) records.push(record);
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
