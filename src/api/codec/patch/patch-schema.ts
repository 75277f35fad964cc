import { flattenFields, type BuiltinTypes } from '../../types/builtin-types.ts';
import type { Field, TypeRef } from '../../types/type-info.ts';

/** The fields of a type, and how their lists merge. */
export type PatchSchema =
  | { readonly is: 'struct'; readonly name: string; readonly field: (name: string) => PatchField | undefined }
  /** A type without fields; `kind` is Go's word: `map`, `string`, `interface`. */
  | { readonly is: 'other'; readonly kind: string };

export interface PatchField {
  readonly schema: PatchSchema;
  readonly strategy: '' | 'merge' | 'replace';
  readonly mergeKey: string;
}

export type PatchSchemaOf = (typeName: string) => PatchSchema | undefined;

/** Follows apimachinery third_party/forked/golang/json/fields.go and pkg/util/strategicpatch/meta.go. */
export function getPatchSchemas(types: BuiltinTypes): PatchSchemaOf {
  const patchSchemaOf = cache.get(types) ?? createPatchSchemas(types);
  cache.set(types, patchSchemaOf);
  return patchSchemaOf;
}

/** One per release: a strategic merge patch would read the types of its kind again. */
const cache = new WeakMap<BuiltinTypes, PatchSchemaOf>();

function createPatchSchemas(types: BuiltinTypes): PatchSchemaOf {
  const schemas = new Map<string, PatchSchema>();
  const patchSchemaOf: PatchSchemaOf = (typeName) => {
    const known = schemas.get(typeName);
    if (known) return known;
    const created = createSchema(typeName, types, patchSchemaOf);
    if (created) schemas.set(typeName, created);
    return created;
  };
  return patchSchemaOf;
}

function createSchema(typeName: string, types: BuiltinTypes, patchSchemaOf: PatchSchemaOf): PatchSchema | undefined {
  const info = types.typeInfo(typeName);
  if (!info) return undefined;
  if (info.is === 'alias') return resolveSchema(info.of, patchSchemaOf);
  const name = typeName.slice(typeName.lastIndexOf('.') + 1);
  if (info.is === 'union') return { is: 'struct', name, field: () => undefined };
  const fields = new Map(flattenFields(types, typeName).map((field) => [field.name, field]));
  const patchFields = new Map<string, PatchField>();
  return {
    is: 'struct',
    name,
    field: (fieldName) => {
      const field = patchFields.get(fieldName) ?? createPatchField(fields.get(fieldName), types, patchSchemaOf);
      if (field) patchFields.set(fieldName, field);
      return field;
    },
  };
}

function createPatchField(
  field: Field | undefined,
  types: BuiltinTypes,
  patchSchemaOf: PatchSchemaOf,
): PatchField | undefined {
  if (!field) return undefined;
  const strategies = (field.patchStrategy ?? '').split(',');
  return {
    schema: resolveSchema(elementType(field.type, types), patchSchemaOf),
    // The third strategy, retainKeys, only affects clients.
    strategy: strategies.includes('merge') ? 'merge' : strategies.includes('replace') ? 'replace' : '',
    mergeKey: field.patchMergeKey ?? '',
  };
}

function elementType(type: TypeRef, types: BuiltinTypes): TypeRef {
  if (type.type === 'list') return type.of;
  if (type.type !== 'named') return type;
  const info = types.typeInfo(type.name);
  return info?.is === 'alias' ? elementType(info.of, types) : type;
}

/** JSON scalars that are Go structs without JSON fields. */
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

function resolveSchema(type: TypeRef, patchSchemaOf: PatchSchemaOf): PatchSchema {
  if (type.type === 'named') return patchSchemaOf(type.name) ?? { is: 'other', kind: 'interface' };
  if (type.type !== 'scalar') return { is: 'other', kind: type.type === 'list' ? 'slice' : 'map' };
  const struct = opaqueStructs[type.scalar];
  if (struct !== undefined) return { is: 'struct', name: struct, field: () => undefined };
  return { is: 'other', kind: type.scalar === 'any' ? 'interface' : type.scalar };
}
