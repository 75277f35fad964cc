import { validateRequiredText, each, errorIf, type FieldErrors } from '../field-rules.ts';
import { duplicate } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, type JsonValue } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { dns1123Label } from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import type { RuntimeClass } from '../../types/generated/node-v1.ts';
import type { Toleration } from '../../types/generated/core-v1.ts';
import { validateTolerations } from '../core/affinity.ts';
import { validateLabels } from '../meta/labels.ts';
import { validateImmutableField } from '../meta/object-meta.ts';
import { validateResourceRequirements } from '../core/resources.ts';

/** Follows kubernetes pkg/apis/node/validation ValidateRuntimeClass. */
export function validateRuntimeClass(runtimeClass: RuntimeClass): FieldErrors {
  const { nodeSelector, tolerations } = asObject(runtimeClass.scheduling);
  const { podFixed } = asObject(runtimeClass.overhead);
  return [
    ...validateRequiredText(dns1123Label, 'handler', runtimeClass.handler),
    ...(podFixed === undefined ? [] : validateResourceRequirements({ limits: podFixed }, 'overhead', [])),
    ...validateLabels(nodeSelector, 'scheduling.nodeSelector'),
    ...validateUniqueTolerations(tolerations, 'scheduling.tolerations'),
  ];
}

/** All errors, then duplicates. */
function validateUniqueTolerations(tolerations: readonly Toleration[] | undefined, path: string): FieldErrors {
  const seen = new Set<string>();
  const errors = validateTolerations(tolerations, path);
  const form = (toleration: Toleration): JsonValue => toInternalForm('core.Toleration', toleration) ?? null;
  const repeats = each(asList(tolerations), path, (toleration, at) =>
    errorIf(isDuplicate(seen, writeJson(form(toleration))), () => duplicate(at, form(toleration))),
  );
  return [...errors, ...repeats];
}

export const validateRuntimeClassUpdate = (runtimeClass: RuntimeClass, old: RuntimeClass): FieldErrors =>
  validateImmutableField('handler', runtimeClass.handler, old.handler, '');
