import type { BuiltinTypes } from '../../types/builtin-types.ts';
import type { Field, TypeRef } from '../../types/type-info.ts';
import { flatFields } from '../../types/flat-fields.ts';

/** What strategic merge must know of a type: its fields, and how lists in them merge. */
export type PatchSchema =
  | { readonly is: 'struct'; readonly name: string; readonly field: (name: string) => PatchField | undefined }
  /** Anything without fields of its own; `kind` is Go's word: `map`, `string`, `interface`. */
  | { readonly is: 'other'; readonly kind: string };

export interface PatchField {
  /** Of the value itself or, for a list, of its elements. */
  readonly schema: PatchSchema;
  readonly strategy: '' | 'merge' | 'replace';
  readonly mergeKey: string;
}

/** The schema of a built-in type, `core.v1.Pod`; undefined for a type that is not known. */
export type PatchSchemaOf = (typeName: string) => PatchSchema | undefined;

/**
 * The patch schemas of a release, each made when it is first asked for.
 * Follows apimachinery third_party/forked/golang/json/fields.go and pkg/util/strategicpatch/meta.go.
 */
export function patchSchemasOf(types: BuiltinTypes): PatchSchemaOf {
  const found = made.get(types) ?? createPatchSchemas(types);
  made.set(types, found);
  return found;
}

const made = new WeakMap<BuiltinTypes, PatchSchemaOf>();

function createPatchSchemas(types: BuiltinTypes): PatchSchemaOf {
  const schemas = new Map<string, PatchSchema>();
  const patchSchemaOf: PatchSchemaOf = (typeName) => {
    const known = schemas.get(typeName);
    if (known) return known;
    const made = makeSchema(typeName, types, patchSchemaOf);
    if (made) schemas.set(typeName, made);
    return made;
  };
  return patchSchemaOf;
}

function makeSchema(typeName: string, types: BuiltinTypes, patchSchemaOf: PatchSchemaOf): PatchSchema | undefined {
  const info = types.typeInfo(typeName);
  if (!info) return undefined;
  if (info.is === 'alias') return schemaOf(info.of, patchSchemaOf);
  const name = typeName.slice(typeName.lastIndexOf('.') + 1);
  if (info.is === 'union') return { is: 'struct', name, field: () => undefined };
  const fields = new Map(flatFields(types, typeName).map((field) => [field.name, field]));
  const made = new Map<string, PatchField>();
  return {
    is: 'struct',
    name,
    field: (fieldName) => {
      const field = made.get(fieldName) ?? patchField(fields.get(fieldName), types, patchSchemaOf);
      if (field) made.set(fieldName, field);
      return field;
    },
  };
}

function patchField(
  field: Field | undefined,
  types: BuiltinTypes,
  patchSchemaOf: PatchSchemaOf,
): PatchField | undefined {
  if (!field) return undefined;
  const strategies = (field.patchStrategy ?? '').split(',');
  return {
    schema: schemaOf(elementOf(field.type, types), patchSchemaOf),
    // The third strategy, retainKeys, only tells clients to send a directive.
    strategy: strategies.includes('merge') ? 'merge' : strategies.includes('replace') ? 'replace' : '',
    mergeKey: field.patchMergeKey ?? '',
  };
}

function elementOf(type: TypeRef, types: BuiltinTypes): TypeRef {
  if (type.type === 'list') return type.of;
  if (type.type !== 'named') return type;
  const info = types.typeInfo(type.name);
  return info?.is === 'alias' ? elementOf(info.of, types) : type;
}

/** Scalars of JSON that are structs in Go, without fields that JSON knows. */
const opaqueStructs: Readonly<Record<string, string>> = {
  quantity: 'Quantity',
  intstr: 'IntOrString',
  time: 'Time',
  microtime: 'MicroTime',
  duration: 'Duration',
  raw: 'RawExtension',
  fieldsv1: 'FieldsV1',
  json: 'JSON',
};

function schemaOf(type: TypeRef, patchSchemaOf: PatchSchemaOf): PatchSchema {
  if (type.type === 'named') return patchSchemaOf(type.name) ?? { is: 'other', kind: 'interface' };
  if (type.type !== 'scalar') return { is: 'other', kind: type.type === 'list' ? 'slice' : 'map' };
  const struct = opaqueStructs[type.scalar];
  if (struct !== undefined) return { is: 'struct', name: struct, field: () => undefined };
  return { is: 'other', kind: type.scalar === 'any' ? 'interface' : type.scalar };
}
