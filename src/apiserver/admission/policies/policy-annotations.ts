import { escapeForGo } from '../../../machinery/json/json-writer.ts';
import type { AuditAnnotation } from '../chain/outcome.ts';

export interface AuditedFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

/** All audited failures share one key: the first is recorded (rule VAP-31). */
export function failureAnnotations([first]: readonly AuditedFailure[]): readonly AuditAnnotation[] {
  if (first === undefined) return [];
  const value = escapeForGo(JSON.stringify([first]));
  return [{ key: 'validation.policy.admission.k8s.io/validation_failure', value, level: 'Metadata' }];
}

const longestValue = 10 * 1024;

/** The values of one policy across bindings and params, deduplicated (rule VAP-36). */
export interface AnnotationValues {
  readonly add: (key: string, value: string) => void;
  readonly published: () => readonly AuditAnnotation[];
}

/** Follows apiserver pkg/admission/plugin/policy/validating/dispatcher.go auditAnnotationCollector. */
export function createAnnotationValues(policy: string): AnnotationValues {
  const values = new Map<string, Set<string>>();
  return {
    add: (key, value) => {
      const known = values.get(key) ?? new Set();
      values.set(key, known.add(cut(value)));
    },
    published: () =>
      [...values].map(([key, all]) => ({ key: `${policy}/${key}`, value: [...all].join(', '), level: 'Metadata' })),
  };
}

function cut(value: string): string {
  const bytes = new TextEncoder().encode(value);
  return bytes.length <= longestValue ? value : new TextDecoder().decode(bytes.subarray(0, longestValue));
}
