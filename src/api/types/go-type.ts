import type { Scalar, TypeRef } from './type-info.ts';

const scalarNames: Readonly<Record<Scalar, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  float64: 'float64',
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intstr: 'intstr.IntOrString',
  time: 'v1.Time',
  microtime: 'v1.MicroTime',
  duration: 'v1.Duration',
  raw: 'runtime.RawExtension',
  fieldsv1: 'v1.FieldsV1',
  json: 'v1.JSON',
  any: 'interface {}',
};

/** As Go's reflection prints it: `[]v1.Container`, `map[string]string`. */
export function goTypeOf(type: TypeRef): string {
  if (type.type === 'scalar') return scalarNames[type.scalar];
  if (type.type === 'list') return `[]${goTypeOf(type.of)}`;
  if (type.type === 'map') return `map[string]${goTypeOf(type.of)}`;
  return type.name.slice(type.name.indexOf('.') + 1);
}

/** `PodSpec` */
export const structNameOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
