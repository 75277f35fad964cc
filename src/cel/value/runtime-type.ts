import { type AnyBox, Box, isInt, isCelList, type Value } from './value.ts';
import { ownValue } from '../../machinery/meta/object.ts';

/** The name of a value's type at run time: `int`, `list`, `net.IP`. */
export function runtimeTypeName(value: Value): string {
  if (value === null) return 'null_type';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isInt(value)) return 'int';
  if (typeof value === 'number') return 'double';
  if (value instanceof Box) return boxTypeName(value);
  if (isCelList(value)) return 'list';
  return value instanceof Uint8Array ? 'bytes' : 'map';
}

const names: Readonly<Record<Exclude<AnyBox['kind'], 'struct' | 'authorizer'>, string>> = {
  double: 'double',
  uint: 'uint',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  type: 'type',
  optional: 'optional_type',
  map: 'map',
  object: 'map',
  lazy: 'map',
  url: 'kubernetes.URL',
  ip: 'net.IP',
  cidr: 'net.CIDR',
  quantity: 'kubernetes.Quantity',
  semver: 'kubernetes.Semver',
  format: 'kubernetes.NamedFormat',
};

function boxTypeName(value: AnyBox): string {
  if (value.kind === 'struct') return value.value.name;
  return value.kind === 'authorizer' ? `kubernetes.authorization.${value.value.type}` : names[value.kind];
}

const goNames: Readonly<Record<string, string>> = {
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  bool: 'types.Bool',
  string: 'types.String',
  bytes: 'types.Bytes',
  null_type: 'types.Null',
  'google.protobuf.Timestamp': 'types.Timestamp',
  'google.protobuf.Duration': 'types.Duration',
  optional_type: '*types.Optional',
  type: '*types.Type',
  'kubernetes.URL': 'cel.URL',
  'kubernetes.Quantity': 'cel.Quantity',
  'kubernetes.Semver': 'cel.Semver',
  'kubernetes.NamedFormat': 'cel.Format',
  'net.IP': 'cel.IP',
  'net.CIDR': 'cel.CIDR',
};

/** The Go type that some messages show: `got 'types.Int', expected iterable type`. */
export function celGoTypeName(value: Value): string {
  const name = runtimeTypeName(value);
  return ownValue(goNames, name) ?? name;
}
