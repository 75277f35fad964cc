import { gvkText, type GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { plainError, failure, type Status } from '../../machinery/meta/status.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { isLeaf, recursiveDifference, withoutMeta, isMember, leaf, type FieldSet } from './field-set.ts';
import { toFieldSet } from './to-field-set.ts';
import { buildManagerIdentifier, type Manager, type Managers } from './managed-fields.ts';
import { mergeValues } from './merge.ts';
import { pruneManaged, type Versions } from './prune.ts';
import { typeErrors } from './type-errors.ts';
import { applyChange, type Change, type FieldWriter } from './update-managers.ts';
import type { ValueType } from './value-type.ts';
import { byKey } from '../../machinery/go/strings.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { sortFieldSet, formatManagedPath } from './path-element.ts';

export interface Application {
  /** Without managedFields. */
  readonly live: KubernetesObject;
  readonly patch: JsonObject;
  readonly kind: GroupVersionKind;
  readonly type: ValueType;
  /** The type error of the stored object. */
  readonly typeError: () => string | undefined;
  readonly managers: Managers;
  readonly writer: FieldWriter;
  readonly force: boolean;
  readonly reset: FieldSet;
  readonly versions: Versions;
  readonly changeTo: (after: JsonValue) => Change;
}

export type Applied =
  /** `object` is undefined when the stored one stays as it is. */
  | { readonly outcome: 'applied'; readonly object: JsonValue | undefined; readonly managers: Managers }
  | { readonly outcome: 'conflict'; readonly conflicts: ReadonlyMap<string, FieldSet>; readonly status: Status }
  | { readonly outcome: 'refused'; readonly status: Status };

/**
 * Follows structured-merge-diff merge/update.go Apply and apimachinery
 * pkg/util/managedfields/internal/structuredmerge.go.
 */
export async function applyFields(application: Application): Promise<Applied> {
  const { live, patch, type, managers, writer, force, reset, versions } = application;
  const typeErrorText = findTypeError(application);
  if (typeErrorText !== undefined) return { outcome: 'refused', status: plainError(typeErrorText) };
  const all = toFieldSet(type, patch);
  const fields = recursiveDifference(all, reset);
  const applier: Manager = { ...writer, operation: 'Apply', fields };
  const identity = buildManagerIdentifier(applier);
  const last = managers.get(identity);
  const updatedManagers = new Map(managers).set(identity, { ...applier, time: last?.time ?? '' });
  const merged = mergeValues(type, live, patch);
  const { apiVersion, time } = writer;
  const object = last ? await pruneManaged(versions, merged, { managers: updatedManagers, last, apiVersion }) : merged;
  const result = await applyChange(application.changeTo(object), updatedManagers, identity);
  if ('mistyped' in result) return { outcome: 'refused', status: plainError(result.mistyped) };
  const { others, conflicts } = result;
  if (!force && conflicts.size > 0) {
    return { outcome: 'conflict', conflicts, status: newApplyConflict(conflicts, managers) };
  }
  const changed = !sameJson(live, object);
  const owned = withoutMeta(fields);
  const owner = { ...applier, fields: owned, time: changed ? time : (last?.time ?? '') };
  return { outcome: 'applied', object: changed ? object : undefined, managers: addOwner(others, identity, owner) };
}

function findTypeError(application: Application): string | undefined {
  const { live, patch, kind, type, typeError } = application;
  const applied = typeErrors(type, patch);
  if (applied !== undefined)
    return `failed to create typed patch object (${formatConfigurationName(application)}): ${applied}`;
  const stored = typeError();
  if (stored === undefined) return undefined;
  return `failed to create typed live object (${formatConfigurationName({ patch: live, kind })}): ${stored}`;
}

function addOwner(managers: Managers, identity: string, owner: Manager): Managers {
  const all = new Map(managers);
  if (isLeaf(owner.fields)) all.delete(identity);
  else all.set(identity, owner);
  return all;
}

/** `namespace/name; /v1, Kind=ConfigMap` */
export function formatConfigurationName({
  patch,
  kind,
}: {
  readonly patch: JsonObject;
  readonly kind: GroupVersionKind;
}): string {
  const { namespace, name } = asObject(patch['metadata']);
  return `${asString(namespace)}/${asString(name)}; ${gvkText(kind)}`;
}

/** The 409 of a conflicting apply. Follows apimachinery pkg/util/managedfields/internal/conflict.go. */
export function newApplyConflict(conflicts: ReadonlyMap<string, FieldSet>, managers: Managers): Status {
  const causes: ConflictCause[] = [];
  for (const [identity, fields] of [...conflicts].toSorted(byKey)) {
    const name = formatManager(managers.get(identity));
    collectPaths(sortFieldSet(fields), [], (path) => causes.push({ name, field: formatManagedPath(path) }));
  }
  const message = formatConflicts(causes);
  const conflictCauses = causes.map(({ name, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${name}`,
    field,
  }));
  return failure({ code: 409, reason: 'Conflict', message, details: { causes: conflictCauses } });
}

interface ConflictCause {
  readonly name: string;
  readonly field: string;
}

function formatConflicts(causes: readonly ConflictCause[]): string {
  const [first] = causes;
  if (first && causes.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${first.name}: ${first.field}`;
  }
  const names = [...new Set(causes.map(({ name }) => name))];
  const lines = names.flatMap((name) => [
    `conflicts with ${name}:`,
    ...causes.filter((cause) => cause.name === name).map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
}

function formatManager(manager: Manager | undefined): string {
  if (!manager) return '""';
  const { operation, apiVersion, subresource } = manager;
  const through = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`;
  return `${goQuote(manager.manager)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

/** The members of a set, then what is below its elements. Follows fieldpath/set.go Iterate. */
function collectPaths(set: FieldSet, path: readonly string[], collect: (path: readonly string[]) => unknown): void {
  const elements = Object.keys(set).filter((element) => element !== '.');
  for (const element of elements) {
    if (isMember(set[element] ?? leaf)) collect([...path, element]);
  }
  for (const element of elements) {
    const inner = set[element] ?? leaf;
    if (!isLeaf(inner)) collectPaths(inner, [...path, element], collect);
  }
}
