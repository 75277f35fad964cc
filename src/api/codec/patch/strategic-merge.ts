import { withoutNullMembers } from '../../../machinery/patch/merge-patch.ts';
import { mapFields } from '../../../machinery/meta/object.ts';
import {
  isList,
  setOwn,
  type JsonDocument,
  type DocumentObject,
  isDocumentObject,
} from '../../../machinery/json/json.ts';
import type { PatchField, PatchSchema } from './patch-schema.ts';
import {
  newBadArgument,
  newBadPatchType,
  newBadPatchFormat,
  type MergeFault,
  type Merging,
  hasNoFault,
} from './strategic-merge-fault.ts';
import { mergeInOrder, mergeLists } from './strategic-merge-list.ts';

export type StrategicOutcome = { readonly outcome: 'merged'; readonly document: DocumentObject } | MergeFault;

/**
 * Merges maps and lists with patchStrategy `merge`, replaces other values, applies `$patch`, `$retainKeys`,
 * `$setElementOrder/…` and `$deleteFromPrimitiveList/…`. Follows apimachinery pkg/util/strategicpatch/patch.go
 * StrategicMergeMapPatch.
 */
export function applyStrategicMerge(
  document: DocumentObject,
  patch: DocumentObject,
  schema: PatchSchema,
): StrategicOutcome {
  const merging: Merging = { fault: undefined, mergeObjects };
  const merged = mergeObjects(merging, document, patch, schema);
  return merging.fault ?? { outcome: 'merged', document: merged };
}

const deleteFromList = '$deleteFromPrimitiveList';
const elementOrder = '$setElementOrder';
const retainKeys = '$retainKeys';

function mergeObjects(
  merging: Merging,
  original: DocumentObject,
  patch: DocumentObject,
  schema: PatchSchema,
): DocumentObject {
  if (Object.hasOwn(patch, '$patch')) return applyDirective(merging, patch);
  const fields = Object.keys(patch);
  const step: MergeStep = {
    draft: { ...applyRetainKeys(merging, original, patch) },
    patch,
    ordered: new Set([retainKeys]),
    schema,
  };
  for (const field of fields) if (field.startsWith(elementOrder)) orderField(merging, step, field);
  for (const field of fields) {
    if (!hasNoFault(merging)) break;
    if (step.ordered.has(field)) continue;
    if (field.startsWith(deleteFromList)) deleteFrom(merging, step, field);
    else mergeField(merging, step, field, patch[field] ?? null);
  }
  return step.draft;
}

type Draft = { [field: string]: JsonDocument | undefined };

/** The merged object, its patch, and fields already merged. */
interface MergeStep {
  readonly draft: Draft;
  readonly patch: DocumentObject;
  readonly ordered: Set<string>;
  readonly schema: PatchSchema;
}

function applyDirective(merging: Merging, patch: DocumentObject): DocumentObject {
  const { $patch, ...others } = patch;
  if ($patch === 'replace') return others;
  if ($patch !== 'delete') merging.fault ??= newBadPatchType($patch ?? null, patch);
  return {};
}

/** `$retainKeys` must list every key of the patch; other keys are removed. */
function applyRetainKeys(merging: Merging, original: DocumentObject, patch: DocumentObject): DocumentObject {
  if (!Object.hasOwn(patch, retainKeys)) return original;
  const list = patch[retainKeys] ?? null;
  const retained = isList(list) ? new Set(list) : undefined;
  const named = Object.entries(patch).filter(
    ([field, value]) =>
      value !== null && field !== retainKeys && !field.startsWith(deleteFromList) && !field.startsWith(elementOrder),
  );
  if (!retained || !named.every(([field]) => retained.has(field))) {
    merging.fault ??= newBadPatchFormat('retainKeys');
    return original;
  }
  return Object.fromEntries(Object.entries(original).filter(([field]) => retained.has(field)));
}

/** `$setElementOrder/field` merges and orders the field. */
function orderField(merging: Merging, { draft, patch, ordered, schema }: MergeStep, directive: string): void {
  const order = patch[directive] ?? null;
  ordered.add(directive);
  if (!isList(order)) {
    merging.fault ??= newBadArgument('[]interface {}', order);
    return;
  }
  const name = parseDirectiveField(directive, elementOrder);
  if (name === undefined) {
    merging.fault ??= newBadPatchFormat('setElementOrder list');
    return;
  }
  const original = readList(merging, draft, name);
  const list = readList(merging, patch, name);
  const field = findField(merging, schema, name);
  if (!field || !hasNoFault(merging)) return;
  const merged = mergeInOrder(merging, { original, patch: list, order }, field);
  if (!merged) return;
  setOwn(draft, name, merged);
  ordered.add(name);
}

function readList(merging: Merging, object: DocumentObject, name: string): readonly JsonDocument[] | undefined {
  if (!Object.hasOwn(object, name)) return undefined;
  const value = object[name] ?? null;
  if (isList(value)) return value;
  merging.fault ??= newBadArgument('[]interface {}', value);
  return undefined;
}

function deleteFrom(merging: Merging, { draft, patch, schema }: MergeStep, directive: string): void {
  const name = parseDirectiveField(directive, deleteFromList);
  if (name === undefined) {
    merging.fault ??= newBadPatchFormat('primitive list');
    return;
  }
  const values = patch[directive] ?? null;
  if (values === null) delete draft[name];
  const current = Object.hasOwn(draft, name) ? (draft[name] ?? null) : null;
  if (!isList(values) || !isList(current)) return;
  const field = findField(merging, schema, name);
  if (field) setOwn(draft, name, mergeLists(merging, { original: current, patch: values, deletes: true }, field));
}

function mergeField(merging: Merging, { draft, schema }: MergeStep, name: string, value: JsonDocument): void {
  if (value === null) {
    delete draft[name];
    return;
  }
  const current = Object.hasOwn(draft, name) ? (draft[name] ?? null) : null;
  if (isDocumentObject(value) && isDocumentObject(current)) {
    const field = findField(merging, schema, name);
    if (field) {
      const merged = field.strategy === 'replace' ? value : mergeObjects(merging, current, value, field.schema);
      setOwn(draft, name, merged);
    }
    return;
  }
  if (isList(value) && isList(current)) {
    const field = findField(merging, schema, name);
    if (field) setOwn(draft, name, mergeLists(merging, { original: current, patch: value, deletes: false }, field));
    return;
  }
  const retained = withoutDirectives(withoutNullMembers(value));
  if (retained === undefined) delete draft[name];
  else setOwn(draft, name, retained);
}

/** `$directive/field`; undefined without the slash. */
const parseDirectiveField = (directive: string, prefix: string): string | undefined =>
  directive.startsWith(`${prefix}/`) ? directive.slice(prefix.length + 1) : undefined;

function findField(merging: Merging, schema: PatchSchema, name: string): PatchField | undefined {
  if (schema.is === 'other') {
    const error = `merging an object in json but data type is not struct, instead is: ${schema.kind}`;
    merging.fault ??= { outcome: 'failed', error };
    return undefined;
  }
  const field = schema.field(name);
  if (!field) {
    const error = `unable to find api field in struct ${schema.name} for the json field "${name}"`;
    merging.fault ??= { outcome: 'failed', error };
  }
  return field;
}

/** Removes maps with a `$patch`; undefined when the value is one. */
function withoutDirectives(value: JsonDocument): JsonDocument | undefined {
  if (isList(value)) return value.map(withoutDirectives).filter((element) => element !== undefined);
  if (!isDocumentObject(value)) return value;
  if (Object.hasOwn(value, '$patch')) return undefined;
  return mapFields(Object.keys(value), (field) => withoutDirectives(value[field] ?? null));
}
