import type { Reader, Writer } from 'protobufjs/minimal.js';
import { encodeBytes } from '../../../machinery/go/base64-bytes.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import type { JsonDocument } from '../../../machinery/json/json.ts';
import { isZeroMoment, microMomentText, momentText } from '../../../machinery/meta/time.ts';
import type { BuiltinTypes } from '../../types/builtin-types.ts';
import { type Field, type Scalar, type TypeRef, unionSchemaType } from '../../types/type-info.ts';
import {
  type Document,
  readEachField,
  readMessageEnd,
  type FieldPlan,
  createMessageWire,
  type MessagePlan,
  readFields,
  type Wire,
  WireError,
} from './protobuf-wire.ts';

/** The part of protobufjs in use. */
export interface ProtobufLibrary {
  readonly Reader: typeof Reader;
  readonly Writer: typeof Writer;
}

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

type Faulty = { readonly error: string };

export interface ProtobufReader {
  readonly readEnvelope: (bytes: Uint8Array) => Envelope | Faulty;
  /** A message as a JSON document. Unknown fields are skipped. */
  readonly readMessage: (type: string, bytes: Uint8Array) => { readonly value: JsonDocument } | Faulty;
}

/** Reads the wire format. Malformed bytes give an error. */
export function createProtobufReader(library: ProtobufLibrary, types: BuiltinTypes): ProtobufReader {
  const plans = createPlans(types);
  return {
    readEnvelope: (bytes) => catchWireErrors(() => readEnvelope(library.Reader.create(bytes), bytes.length)),
    readMessage: (type, bytes) =>
      catchWireErrors(() => ({ value: readFields(plans.planOf(type), library.Reader.create(bytes), bytes.length) })),
  };
}

function catchWireErrors<T>(read: () => T): T | Faulty {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof WireError) return { error: thrown.message };
    // Out of bytes, or nested deeper than the stack; Go has one text for most of them.
    if (thrown instanceof Error) return { error: 'unexpected EOF' };
    throw thrown;
  }
}

interface Plans {
  readonly types: BuiltinTypes;
  readonly planOf: (type: string) => MessagePlan;
}

function createPlans(types: BuiltinTypes): Plans {
  const cache = new Map<string, MessagePlan>();
  const plans: Plans = {
    types,
    planOf: (type) => {
      const cached = cache.get(type);
      if (cached !== undefined) return cached;
      const info = types.typeInfo(type);
      const fields = info?.is === 'struct' ? info.fields.filter(({ number }) => number > 0) : [];
      const plan: MessagePlan = new Map(fields.map((field) => [field.number, planField(plans, field)]));
      cache.set(type, plan);
      return plan;
    },
  };
  return plans;
}

function planField(plans: Plans, field: Field): FieldPlan {
  const { type } = field;
  if (field.name === '') return { name: '', shape: 'inlined', wire: createWire(plans, type) };
  if (type.type === 'list') return { name: field.name, shape: 'list', wire: createWire(plans, type.of) };
  if (type.type === 'map') return { name: field.name, shape: 'map', wire: createWire(plans, type.of) };
  return { name: field.name, shape: 'one', wire: createWire(plans, type) };
}

function createWire(plans: Plans, type: TypeRef): Wire {
  if (type.type === 'scalar') return scalarWires[type.scalar];
  if (type.type !== 'named') throw new Error('lists of lists are not in protobuf');
  const info = plans.types.typeInfo(type.name);
  if (info?.is === 'union')
    return createMessageWire(
      (reader, end) => readUnion(plans, info.numbers, reader, end),
      () => null,
    );
  if (info?.is !== 'alias') {
    return createMessageWire(
      (reader, end) => readFields(plans.planOf(type.name), reader, end),
      () => ({}),
    );
  }
  return info.of.type === 'list'
    ? createMessageWire(createListReader(plans, info.of.of), () => [])
    : createWire(plans, info.of);
}

/** A named list is a message with its items in field 1. */
function createListReader(plans: Plans, of: TypeRef): (reader: Reader, end: number) => JsonDocument {
  const plan: MessagePlan = new Map([[1, { name: 'items', shape: 'list', wire: createWire(plans, of) }]]);
  return (reader, end) => readFields(plan, reader, end)['items'] ?? [];
}

/** Follows apiextensions-apiserver pkg/apis/apiextensions/v1/marshal.go. */
function readUnion(plans: Plans, numbers: Readonly<Record<string, number>>, reader: Reader, end: number): JsonDocument {
  const fields = Object.entries(numbers).map(([name, number]): readonly [number, FieldPlan] => [
    number,
    planUnionField(plans, name),
  ]);
  const { schema, allows = false, jSONSchemas, property } = readFields(new Map(fields), reader, end);
  const list = jSONSchemas ?? property;
  if ('allows' in numbers) return schema ?? allows;
  return list ?? schema ?? null;
}

function planUnionField(plans: Plans, name: string): FieldPlan {
  if (name === 'allows') return { name, shape: 'one', wire: scalarWires.bool };
  if (name === 'property') return { name, shape: 'list', wire: scalarWires.string };
  const wire = createWire(plans, { type: 'named', name: unionSchemaType });
  return { name, shape: name === 'schema' ? 'one' : 'list', wire };
}

/** Follows apimachinery pkg/runtime/generated.proto Unknown. */
function readEnvelope(reader: Reader, end: number): Envelope {
  let type: Document = {};
  let raw = new Uint8Array();
  const typeMeta: MessagePlan = new Map([
    [1, { name: 'apiVersion', shape: 'one', wire: scalarWires.string }],
    [2, { name: 'kind', shape: 'one', wire: scalarWires.string }],
  ]);
  readEachField(reader, end, (number, wireType) => {
    if (number === 1) type = readFields(typeMeta, reader, readMessageEnd(reader));
    else if (number === 2) raw = reader.bytes().slice();
    else reader.skipType(wireType, 0, number);
  });
  const { apiVersion, kind } = type;
  return {
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
    kind: typeof kind === 'string' ? kind : '',
    raw,
  };
}

const text: Wire = { wireType: 2, read: (reader) => reader.string(), zero: () => '' };
const json: Wire = createMessageWire(readRawJson, () => null);

/** Scalars that are Go structs are messages. */
const scalarWires: Readonly<Record<Scalar, Wire>> = {
  string: text,
  bool: { wireType: 0, read: (reader) => reader.bool(), zero: () => false },
  int32: { wireType: 0, read: (reader) => reader.int32(), zero: () => 0 },
  int64: { wireType: 0, read: readInt64, zero: () => 0 },
  float64: { wireType: 1, read: (reader) => reader.double(), zero: () => 0 },
  bytes: { wireType: 2, read: (reader) => encodeBytes(reader.bytes()), zero: () => '' },
  quantity: createMessageWire(
    (reader, end) => readFirstText(reader, end) ?? null,
    () => null,
  ),
  intstr: createMessageWire(readIntOrString, () => 0),
  time: createMessageWire(
    (reader, end) => readTime(reader, end, momentText),
    () => null,
  ),
  microtime: createMessageWire(
    (reader, end) => readTime(reader, end, microMomentText),
    () => null,
  ),
  duration: text,
  raw: json,
  fieldsv1: json,
  json,
  any: json,
};

function readInt64(reader: Reader): JsonDocument {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.buf[reader.pos];
    if (byte === undefined || reader.pos >= reader.len) throw new WireError('unexpected EOF');
    reader.pos += 1;
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return toNumber(BigInt.asIntN(64, value));
  }
  throw new WireError('proto: integer overflow');
}

function toNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function readFirstText(reader: Reader, end: number): string | undefined {
  let first: string | undefined;
  readEachField(reader, end, (number, wireType) => {
    if (number === 1) first = reader.string();
    else reader.skipType(wireType, 0, number);
  });
  return first;
}

function readIntOrString(reader: Reader, end: number): JsonDocument {
  const plan: MessagePlan = new Map([
    [1, { name: 'type', shape: 'one', wire: scalarWires.int64 }],
    [2, { name: 'intVal', shape: 'one', wire: scalarWires.int32 }],
    [3, { name: 'strVal', shape: 'one', wire: text }],
  ]);
  const { type = 0, intVal = 0, strVal = '' } = readFields(plan, reader, end);
  return type === 1 ? strVal : intVal;
}

/** All zeros is Go's zero time, not 1970. Follows apimachinery pkg/apis/meta/v1/time_proto.go. */
function readTime(
  reader: Reader,
  end: number,
  print: (moment: { readonly seconds: number; readonly nanos: number }) => string,
): JsonDocument {
  const plan: MessagePlan = new Map([
    [1, { name: 'seconds', shape: 'one', wire: scalarWires.int64 }],
    [2, { name: 'nanos', shape: 'one', wire: scalarWires.int32 }],
  ]);
  const { seconds = 0, nanos = 0 } = readFields(plan, reader, end);
  const moment = { seconds: Number(seconds), nanos: Number(nanos) };
  if ((moment.seconds === 0 && moment.nanos === 0) || isZeroMoment(moment)) return null;
  if (Math.abs(moment.seconds) > 253402300799) throw new WireError('Time.MarshalJSON: year outside of range [0,9999]');
  return print(moment);
}

const rawPlan: MessagePlan = new Map([[1, { name: 'raw', shape: 'one', wire: text }]]);

function readRawJson(reader: Reader, end: number): JsonDocument {
  const { raw } = readFields(rawPlan, reader, end);
  if (typeof raw !== 'string' || raw === '') return null;
  const reading = readJson(raw);
  if (reading.outcome === 'unreadable') throw new WireError(reading.error);
  return reading.json.value;
}
