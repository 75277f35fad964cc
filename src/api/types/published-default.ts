import type { JsonValue } from '../../machinery/json/json.ts';
import type { BuiltinTypes } from './builtin-types.ts';
import type { Field, Scalar, TypeRef } from './type-info.ts';

/** Follows kube-openapi pkg/generators mustEnforceDefault. */
export function publishedDefault(types: BuiltinTypes, field: Field): JsonValue | undefined {
  if (field.default !== undefined) {
    const value: JsonValue = JSON.parse(field.default);
    return value;
  }
  return field.pointer ? undefined : zeroOf(types, field.type, !field.omitEmpty && !field.omitZero);
}

/** Structs default to {}, scalars only if they are always printed. */
export function zeroOf(types: BuiltinTypes, type: TypeRef, isPrinted = true): JsonValue | undefined {
  if (type.type === 'scalar') return isPrinted ? zeros[type.scalar] : undefined;
  if (type.type !== 'named') return undefined;
  const info = types.typeInfo(type.name);
  if (info?.is === 'alias') return zeroOf(types, info.of, isPrinted);
  return info?.is === 'struct' ? {} : undefined;
}

const zeros: Readonly<Partial<Record<Scalar, JsonValue>>> = { string: '', bool: false, int32: 0, int64: 0, float64: 0 };
