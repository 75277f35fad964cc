import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '../../../machinery/meta/object.ts';
import type { PluginAnswer } from './plugin.ts';

/**
 * Restores managedFields that a webhook left unreadable, and warns. Follows apiserver
 * pkg/endpoints/handlers/fieldmanager/admission.go (rule MUT-41).
 */
export function restoreManagedFields(before: KubernetesObject, after: KubernetesObject): PluginAnswer {
  const { managedFields } = metadataOf(after);
  if (managedFields === undefined || managedFields === metadataOf(before).managedFields) return { object: after };
  const error = managedFieldsError(managedFields);
  if (error === '') return { object: after };
  return {
    object: withMetadata(after, { managedFields: metadataOf(before).managedFields }),
    warnings: [
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error}`,
    ],
  };
}

/** '' when they can be decoded. Follows apimachinery pkg/util/managedfields/internal/managedfields.go. */
function managedFieldsError(entries: readonly ManagedFieldsEntry[]): string {
  for (const [index, entry] of entries.entries()) {
    const error = entryError(entry, index);
    if (error !== '') return error;
  }
  return '';
}

function entryError({ operation, apiVersion, fieldsType, fieldsV1 }: ManagedFieldsEntry, index: number): string {
  if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
  if (asString(apiVersion) === '') return 'apiVersion must not be empty';
  const type = asString(fieldsType);
  if (type === '') return `missing fieldsType in managed fields entry ${index}`;
  if (type !== 'FieldsV1') return `invalid fieldsType ${goQuote(type)} in managed fields entry ${index}`;
  const bad = badPathElement(asObject(fieldsV1));
  return bad === '' ? '' : `error decoding versioned set from managed fields entry ${index}: ${bad}`;
}

/** Follows structured-merge-diff fieldpath/serialize-pe.go. */
function badPathElement(fields: JsonObject): string {
  for (const [key, inner] of Object.entries(fields)) {
    if (key !== '.' && !/^[fvki]:/.test(key)) return `missing key type or unrecognized path element ${goQuote(key)}`;
    const error = isJsonObject(inner) ? badPathElement(inner) : '';
    if (error !== '') return error;
  }
  return '';
}
