import { createMap } from '../../src/cel/value/map-key.ts';
import { readDuration, readTimestamp } from '../../src/cel/value/time.ts';
import { dynType, listType, mapType, optionalType, parseType, type Type, typeType } from '../../src/cel/check/type.ts';
import { box, CelError, double, int, type CelResult, uint, type Value } from '../../src/cel/value/value.ts';

/** A test of the suite, as its JSON has it. */
export interface ConformanceTest {
  readonly name?: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableMacros?: boolean;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly value?: WireValue;
  readonly typedResult?: { readonly result?: WireValue; readonly deducedType?: WireType };
  readonly evalError?: unknown;
  readonly anyEvalErrors?: unknown;
  readonly unknown?: unknown;
  readonly bindings?: Readonly<Record<string, { readonly value: WireValue }>>;
  readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type: WireType } }[];
}

export interface WireValue {
  readonly nullValue?: unknown;
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly WireValue[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: WireValue; readonly value: WireValue }[] };
  readonly objectValue?: { readonly '@type': string; readonly value?: string };
}

const valueOf = (result: CelResult): Value => {
  if (result instanceof CelError) throw new Error(result.message);
  return result;
};

/** A value of the suite; undefined for a message that is no Kubernetes value. */
export function readValue(wire: WireValue): Value | undefined {
  if (wire.boolValue !== undefined) return wire.boolValue;
  if (wire.int64Value !== undefined) return valueOf(int(BigInt(wire.int64Value)));
  if (wire.uint64Value !== undefined) return valueOf(uint(BigInt(wire.uint64Value)));
  if (wire.doubleValue !== undefined) return double(Number(wire.doubleValue));
  if (wire.stringValue !== undefined) return wire.stringValue;
  if (wire.bytesValue !== undefined) return Uint8Array.from(Buffer.from(wire.bytesValue, 'base64'));
  if (wire.typeValue !== undefined) return box('type', wire.typeValue);
  return readAggregate(wire);
}

function readAggregate(wire: WireValue): Value | undefined {
  if (wire.listValue !== undefined) return (wire.listValue.values ?? []).map((value) => readValue(value) ?? null);
  if (wire.mapValue !== undefined) {
    const entries = wire.mapValue.entries ?? [];
    return valueOf(createMap(entries.map(({ key, value }) => [readValue(key) ?? null, readValue(value) ?? null])));
  }
  if (wire.objectValue !== undefined) return readMessage(wire.objectValue['@type'], wire.objectValue.value ?? '');
  return null;
}

function readMessage(type: string, text: string): Value | undefined {
  if (type.endsWith('google.protobuf.Timestamp')) return box('timestamp', readTimestamp(text) ?? 0n);
  return type.endsWith('google.protobuf.Duration') ? box('duration', readDuration(text) ?? 0n) : undefined;
}

interface WireType {
  readonly primitive?: string;
  readonly wellKnown?: string;
  readonly wrapper?: string;
  readonly messageType?: string;
  readonly typeParam?: string;
  readonly dyn?: unknown;
  readonly null?: unknown;
  readonly listType?: { readonly elemType?: WireType };
  readonly mapType?: { readonly keyType?: WireType; readonly valueType?: WireType };
  readonly type?: WireType;
  readonly abstractType?: { readonly name?: string; readonly parameterTypes?: readonly WireType[] };
}

const names: Readonly<Record<string, string>> = {
  BOOL: 'bool',
  INT64: 'int',
  UINT64: 'uint',
  DOUBLE: 'double',
  STRING: 'string',
  BYTES: 'bytes',
  TIMESTAMP: 'google.protobuf.Timestamp',
  DURATION: 'google.protobuf.Duration',
};

function readWireType(type: WireType): Type {
  const name = names[type.primitive ?? type.wellKnown ?? ''];
  if (name !== undefined) return parseType(name);
  return readParameterized(type);
}

function readParameterized(type: WireType): Type {
  if (type.listType !== undefined) return listType(readWireType(type.listType.elemType ?? {}));
  if (type.mapType !== undefined) {
    return mapType(readWireType(type.mapType.keyType ?? {}), readWireType(type.mapType.valueType ?? {}));
  }
  if (type.type !== undefined) return typeType(readWireType(type.type));
  if (type.abstractType?.name === 'optional_type')
    return optionalType(readWireType(type.abstractType.parameterTypes?.[0] ?? {}));
  return dynType;
}

export const declaredTypes = ({ typeEnv = [] }: ConformanceTest): readonly (readonly [string, Type])[] =>
  typeEnv.flatMap(({ name, ident }) => (ident === undefined ? [] : [[name, readWireType(ident.type)]]));
