import type { BuiltinTypes } from './builtin-types.ts';
import type { Field } from './type-info.ts';

/** The fields of a named struct in Go's order, those of inlined structs in their places; none for any other type. */
export function flatFields(types: BuiltinTypes, name: string): readonly Field[] {
  const info = types.typeInfo(name);
  if (info?.is !== 'struct') return [];
  return info.fields.flatMap((field) =>
    field.name === '' && field.type.type === 'named' ? flatFields(types, field.type.name) : [field],
  );
}

/** What a type that carries them has besides (hasTypeMeta). */
export const typeMetaFields: readonly Field[] = ['kind', 'apiVersion'].map((name) => ({
  name,
  type: { type: 'scalar', scalar: 'string' },
  omitEmpty: true,
  omitZero: false,
  pointer: false,
  required: false,
  number: 0,
}));
