import type { FieldsOf } from '../../../cel/index.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  expressedNames,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
} from '../../../cel/vocabulary.ts';
import type { Type } from '../../../cel/vocabulary.ts';
import type { BuiltinTypes } from '../../../api/types/builtin-types.ts';
import type { Scalar, TypeRef } from '../../../api/types/type-info.ts';
import { flatFields } from '../../../api/types/flat-fields.ts';

/** A built-in type, `apps.v1.Deployment`, as expressions would see it. Follows apiserver pkg/cel/common/schemas.go. */
export const declaredType = (types: BuiltinTypes, name: string): Type => typeOf(types, { type: 'named', name });

/** The fields of such a type by the names that expressions give them; undefined for what is no struct. */
export function declaredFields(types: BuiltinTypes, name: string): FieldsOf | undefined {
  if (types.typeInfo(name)?.is !== 'struct') return undefined;
  return (field) => {
    if (types.hasTypeMeta(name) && (field === 'kind' || field === 'apiVersion')) return stringType;
    const [real] = expressedNames(field);
    const found = flatFields(types, name).find((one) => one.name === (real ?? field));
    return found && typeOf(types, found.type);
  };
}

function typeOf(types: BuiltinTypes, ref: TypeRef): Type {
  switch (ref.type) {
    case 'scalar':
      return scalars[ref.scalar];
    case 'list':
      return listType(typeOf(types, ref.of));
    case 'map':
      return mapType(stringType, typeOf(types, ref.of));
    case 'named': {
      const info = types.typeInfo(ref.name);
      if (info?.is === 'alias') return typeOf(types, info.of);
      return info?.is === 'struct' ? structType(ref.name) : dynType;
    }
  }
}

const scalars: Readonly<Record<Scalar, Type>> = {
  string: stringType,
  bool: boolType,
  int32: intType,
  int64: intType,
  float64: doubleType,
  bytes: bytesType,
  quantity: dynType,
  intstr: dynType,
  time: timestampType,
  microtime: timestampType,
  duration: stringType,
  raw: dynType,
  fieldsv1: dynType,
  json: dynType,
  any: dynType,
};
