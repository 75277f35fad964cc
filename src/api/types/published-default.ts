import type { JsonValue } from '../../machinery/json/json.ts';
import type { BuiltinTypes } from './builtin-types.ts';
import type { Field, Scalar, TypeRef } from './type-info.ts';

/** The default of a field as OpenAPI tells it, declared or not. Follows kube-openapi pkg/generators mustEnforceDefault. */
export function publishedDefault(types: BuiltinTypes, field: Field): JsonValue | undefined {
  if (field.default !== undefined) {
    const value: JsonValue = JSON.parse(field.default);
    return value;
  }
  return field.pointer ? undefined : zeroOf(types, field.type, !field.omitEmpty && !field.omitZero);
}

/** The default that follows from a type: of a struct always, of a scalar where it is always printed, as items of lists and maps are. */
export function zeroOf(types: BuiltinTypes, type: TypeRef, isPrinted = true): JsonValue | undefined {
  if (type.type === 'scalar') return isPrinted ? zeros[type.scalar] : undefined;
  if (type.type !== 'named') return undefined;
  const info = types.typeInfo(type.name);
  if (info?.is === 'alias') return zeroOf(types, info.of, isPrinted);
  return info?.is === 'struct' ? {} : undefined;
}

const zeros: Readonly<Partial<Record<Scalar, JsonValue>>> = { string: '', bool: false, int32: 0, int64: 0, float64: 0 };
