import type { BuiltinTypes } from './builtin-types.ts';
import type { Field } from './type-info.ts';

/** In Go's order with inlined structs expanded; empty for any other type. */
export function flatFields(types: BuiltinTypes, name: string): readonly Field[] {
  const info = types.typeInfo(name);
  if (info?.is !== 'struct') return [];
  return info.fields.flatMap((field) =>
    field.name === '' && field.type.type === 'named' ? flatFields(types, field.type.name) : [field],
  );
}

/** The extra fields of a type with hasTypeMeta. */
export const typeMetaFields: readonly Field[] = ['kind', 'apiVersion'].map((name) => ({
  name,
  type: { type: 'scalar', scalar: 'string' },
  omitEmpty: true,
  omitZero: false,
  pointer: false,
  required: false,
  number: 0,
}));
