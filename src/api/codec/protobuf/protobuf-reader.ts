import type { Reader, Writer } from 'protobufjs/minimal.js';
import type { JsonDocument } from '../../../machinery/json/json.ts';
import type { BuiltinTypes } from '../../types/builtin-types.ts';
import type { Field, TypeRef } from '../../types/type-info.ts';
import { unionSchemaType } from '../json-union.ts';
import { WireError, eachField, endOf, message, readFields } from './protobuf-fields.ts';
import type { Document, FieldPlan, Plan, Wire } from './protobuf-fields.ts';
import { scalarWires } from './protobuf-scalars.ts';

/** What is used of protobufjs. */
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
  /** A message as the JSON document that would say the same. Unknown fields are skipped. */
  readonly readMessage: (type: string, bytes: Uint8Array) => { readonly value: JsonDocument } | Faulty;
}

/** Reads the wire format of a release's messages. Hostile bytes give an error. */
export function createProtobufReader(library: ProtobufLibrary, types: BuiltinTypes): ProtobufReader {
  const plans = createPlans(types);
  return {
    readEnvelope: (bytes) => guarded(() => readEnvelope(library.Reader.create(bytes), bytes.length)),
    readMessage: (type, bytes) =>
      guarded(() => ({ value: readFields(plans.planOf(type), library.Reader.create(bytes), bytes.length) })),
  };
}

function guarded<T>(read: () => T): T | Faulty {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof WireError) return { error: thrown.message };
    // Out of bytes, or nested deeper than our stack; Go has one text for most of them.
    if (thrown instanceof Error) return { error: 'unexpected EOF' };
    throw thrown;
  }
}

interface Plans {
  readonly types: BuiltinTypes;
  readonly planOf: (type: string) => Plan;
}

function createPlans(types: BuiltinTypes): Plans {
  const known = new Map<string, Plan>();
  const plans: Plans = {
    types,
    planOf: (type) => {
      const made = known.get(type);
      if (made !== undefined) return made;
      const info = types.typeInfo(type);
      const fields = info?.is === 'struct' ? info.fields.filter(({ number }) => number > 0) : [];
      const plan: Plan = new Map(fields.map((field) => [field.number, planOfField(plans, field)]));
      known.set(type, plan);
      return plan;
    },
  };
  return plans;
}

function planOfField(plans: Plans, field: Field): FieldPlan {
  const { type } = field;
  if (field.name === '') return { name: '', shape: 'inlined', wire: wireOf(plans, type) };
  if (type.type === 'list') return { name: field.name, shape: 'list', wire: wireOf(plans, type.of) };
  if (type.type === 'map') return { name: field.name, shape: 'map', wire: wireOf(plans, type.of) };
  return { name: field.name, shape: 'one', wire: wireOf(plans, type) };
}

function wireOf(plans: Plans, type: TypeRef): Wire {
  if (type.type === 'scalar') return scalarWires[type.scalar];
  if (type.type !== 'named') throw new Error('lists of lists are not in protobuf');
  const info = plans.types.typeInfo(type.name);
  if (info?.is === 'union')
    return message(
      (reader, end) => readUnion(plans, info.numbers, reader, end),
      () => null,
    );
  if (info?.is !== 'alias') {
    return message(
      (reader, end) => readFields(plans.planOf(type.name), reader, end),
      () => ({}),
    );
  }
  return info.of.type === 'list' ? message(listMessage(plans, info.of.of), () => []) : wireOf(plans, info.of);
}

/** A named list is a message with the items in field 1. */
function listMessage(plans: Plans, of: TypeRef): (reader: Reader, end: number) => JsonDocument {
  const plan: Plan = new Map([[1, { name: 'items', shape: 'list', wire: wireOf(plans, of) }]]);
  return (reader, end) => readFields(plan, reader, end)['items'] ?? [];
}

/** Follows apiextensions-apiserver pkg/apis/apiextensions/v1/marshal.go. */
function readUnion(plans: Plans, numbers: Readonly<Record<string, number>>, reader: Reader, end: number): JsonDocument {
  const fields = Object.entries(numbers).map(([name, number]): readonly [number, FieldPlan] => [
    number,
    unionField(plans, name),
  ]);
  const { schema, allows = false, jSONSchemas, property } = readFields(new Map(fields), reader, end);
  const list = jSONSchemas ?? property;
  if ('allows' in numbers) return schema ?? allows;
  return list ?? schema ?? null;
}

function unionField(plans: Plans, name: string): FieldPlan {
  if (name === 'allows') return { name, shape: 'one', wire: scalarWires.bool };
  if (name === 'property') return { name, shape: 'list', wire: scalarWires.string };
  const wire = wireOf(plans, { type: 'named', name: unionSchemaType });
  return { name, shape: name === 'schema' ? 'one' : 'list', wire };
}

/** Follows apimachinery pkg/runtime/generated.proto Unknown. */
function readEnvelope(reader: Reader, end: number): Envelope {
  let type: Document = {};
  let raw = new Uint8Array();
  const typeMeta: Plan = new Map([
    [1, { name: 'apiVersion', shape: 'one', wire: scalarWires.string }],
    [2, { name: 'kind', shape: 'one', wire: scalarWires.string }],
  ]);
  eachField(reader, end, (number, wireType) => {
    if (number === 1) type = readFields(typeMeta, reader, endOf(reader));
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
