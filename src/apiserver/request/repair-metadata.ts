import { byKey } from '../../machinery/go/strings.ts';
import { asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import {
  type KubernetesObject,
  type ManagedFieldsEntry,
  metadataOf,
  type OwnerReference,
  withMetadata,
} from '../../machinery/meta/object.ts';
import type { PluginAnswer } from '../admission/chain/plugin.ts';

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

/**
 * Removes repeated owner references, with a warning. Follows apiserver pkg/endpoints/handlers/rest.go (rule MUT-42).
 */
export function dropDuplicateOwners(object: KubernetesObject, when: 'before' | 'after'): PluginAnswer {
  const owners = metadataOf(object).ownerReferences ?? [];
  if (owners.length < 2) return { object };
  const unique = new Map<string, OwnerReference>();
  const duplicates: string[] = [];
  for (const owner of owners) {
    const text = ownerKey(owner);
    if (unique.has(text)) duplicates.push(owner.uid);
    else unique.set(text, owner);
  }
  if (duplicates.length === 0) return { object };
  const whenText = when === 'before' ? '' : ' after mutating admission happens';
  const warning = `.metadata.ownerReferences contains duplicate entries${whenText}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`;
  return { object: withMetadata(object, { ownerReferences: [...unique.values()] }), warnings: [warning] };
}

const ownerKey = (owner: OwnerReference): string => JSON.stringify(Object.entries(owner).toSorted(byKey));
