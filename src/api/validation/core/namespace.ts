import { validateText, eachOf, eachText, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { Namespace } from '../../types/generated/core-v1.ts';
import { validateKubeFinalizerName } from '../meta/object-meta.ts';

/** Follows kubernetes pkg/apis/core/validation ValidateNamespace. */
export const validateNamespace = (namespace: Namespace): FieldErrors =>
  eachOf(asList(asObject(namespace.spec).finalizers), (item) =>
    validateFinalizerName(asString(item), 'spec.finalizers'),
  );

function validateFinalizerName(name: string, field: string): FieldErrors {
  return [...validateText(qualifiedNameErrors, field, name), ...validateKubeFinalizerName(name, field)];
}

/** Follows kubernetes pkg/apis/core/validation ValidateNamespaceStatusUpdate. */
export function validateNamespaceUpdate(namespace: Namespace, _old: Namespace, subresource: string): FieldErrors {
  const finalizers = asObject(namespace.spec).finalizers;
  if (subresource === 'finalize') return eachText(finalizers, 'spec.finalizers', validateFinalizerName);
  if (subresource !== 'status') return [];
  const phase = asString(asObject(namespace.status).phase);
  const isDeleted = metadataOf(namespace).deletionTimestamp !== undefined;
  const wanted = isDeleted ? 'Terminating' : 'Active';
  const text = `may only be '${wanted}' if \`deletionTimestamp\` is ${isDeleted ? 'not ' : ''}empty`;
  return errorIf(phase !== wanted, () => invalidValue('status.Phase', phase, text));
}
