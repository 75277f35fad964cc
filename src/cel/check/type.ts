export type Type =
  | SimpleType
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'type'; readonly of: Type | undefined }
  | { readonly kind: 'param'; readonly name: string }
  /** `optional_type(T)`. */
  | { readonly kind: 'opaque'; readonly name: string; readonly params: readonly Type[] }
  /** A type with declared fields, or a library's own type, which has none. */
  | StructType;

export interface StructType {
  readonly kind: 'struct';
  readonly name: string;
}

interface SimpleType {
  readonly kind: SimpleKind;
}

const simpleNames = {
  dyn: 'dyn',
  error: '!error!',
  unspecified: '',
  null: 'null_type',
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  double: 'double',
  string: 'string',
  bytes: 'bytes',
  any: 'google.protobuf.Any',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
} as const;

type SimpleKind = keyof typeof simpleNames;

export const dynType: Type = { kind: 'dyn' };
export const errorType: Type = { kind: 'error' };
export const unspecifiedType: Type = { kind: 'unspecified' };
export const nullType: Type = { kind: 'null' };
export const boolType: Type = { kind: 'bool' };
export const intType: Type = { kind: 'int' };
export const uintType: Type = { kind: 'uint' };
export const doubleType: Type = { kind: 'double' };
export const stringType: Type = { kind: 'string' };
export const bytesType: Type = { kind: 'bytes' };
export const anyType: Type = { kind: 'any' };
export const timestampType: Type = { kind: 'timestamp' };
export const durationType: Type = { kind: 'duration' };

export const listType = (element: Type): Type => ({ kind: 'list', element });
export const mapType = (key: Type, value: Type): Type => ({ kind: 'map', key, value });
export const typeType = (of: Type | undefined): Type => ({ kind: 'type', of });
export const paramType = (name: string): Type => ({ kind: 'param', name });
export const structType = (name: string): StructType => ({ kind: 'struct', name });
export const opaqueType = (name: string, params: readonly Type[]): Type => ({ kind: 'opaque', name, params });
export const optionalType = (of: Type): Type => opaqueType('optional_type', [of]);

export const isDyn = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'any';
export const isDynOrError = (type: Type): boolean => isDyn(type) || type.kind === 'error';

/** The T of `optional_type(T)`; undefined for every other type. */
export const unwrapOptional = (type: Type): Type | undefined =>
  type.kind === 'opaque' && type.name === 'optional_type' ? type.params[0] : undefined;

/** The type parameters of a type, in order. */
export function typeParameters(type: Type): readonly Type[] {
  if (type.kind === 'list') return [type.element];
  if (type.kind === 'map') return [type.key, type.value];
  if (type.kind === 'type') return type.of === undefined ? [] : [type.of];
  return type.kind === 'opaque' ? type.params : [];
}

/** `google.protobuf.Timestamp`, `list`, `kubernetes.Quantity`: the name without parameters. */
export function typeName(type: Type): string {
  if (type.kind === 'list' || type.kind === 'map' || type.kind === 'type') return type.kind;
  if (type.kind === 'param' || type.kind === 'opaque' || type.kind === 'struct') return type.name;
  return simpleNames[type.kind];
}

/** The type as a result type is printed: `list(google.protobuf.Timestamp)`. Follows cel-go common/types Type.String. */
export const typeText = (type: Type): string => formatWithParameters(typeName(type), typeParameters(type), typeText);

/** The type as a checker message prints it: `list(timestamp)`, `null`. Follows cel-go checker/format.go. */
export function messageTypeText(type: Type): string {
  if (['any', 'duration', 'null', 'timestamp'].includes(type.kind)) return type.kind;
  return formatWithParameters(typeName(type), typeParameters(type), messageTypeText);
}

const formatWithParameters = (name: string, params: readonly Type[], text: (type: Type) => string): string =>
  params.length === 0 ? name : `${name}(${params.map(text).join(', ')})`;

/** Are the types the same, parameters included? Follows cel-go common/types Type.IsExactType. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || typeName(a) !== typeName(b)) return false;
  const params = typeParameters(a);
  const others = typeParameters(b);
  return params.length === others.length && params.every((param, index) => sameType(param, others[index] ?? param));
}

const simple: ReadonlyMap<string, Type> = new Map([
  ['dyn', dynType],
  ['null_type', nullType],
  ['bool', boolType],
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['string', stringType],
  ['bytes', bytesType],
  ['google.protobuf.Any', anyType],
  ['google.protobuf.Timestamp', timestampType],
  ['google.protobuf.Duration', durationType],
]);

/** The type of a declaration's text, such as `map(<K>, list(int))`. */
export function parseType(text: string): Type {
  const open = text.indexOf('(');
  if (open < 0) return simple.get(text) ?? (text.startsWith('<') ? paramType(text.slice(1, -1)) : structType(text));
  const name = text.slice(0, open);
  const params = splitTypes(text.slice(open + 1, -1)).map(parseType);
  const [first = dynType, second = dynType] = params;
  if (name === 'list') return listType(first);
  if (name === 'map') return mapType(first, second);
  return name === 'type' ? typeType(first) : opaqueType(name, params);
}

function splitTypes(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, char] of Array.from(text).entries()) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char !== ',' || depth > 0) continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}
