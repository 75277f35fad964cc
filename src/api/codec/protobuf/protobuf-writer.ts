import type { Writer } from 'protobufjs/minimal.js';
import { asList, asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { BuiltinTypes } from '../../types/builtin-types.ts';
import { type Field, type Scalar, type TypeInfo, type TypeRef, unionSchemaType } from '../../types/type-info.ts';
import { scalarPuts, encodeTag, type WriteScalar } from './protobuf-wire.ts';

export type PutMessage = (writer: Writer, type: string, value: JsonObject) => void;

/** The reverse of protobuf-reader.ts. Absent fields that are no Go pointers are written as zero. */
export function createProtobufWriter(types: BuiltinTypes): PutMessage {
  const plans = createPlans(types);
  return (writer, type, value) => putFields(writer, plans.planOf(type), value);
}

type PutField = (writer: Writer, parent: JsonObject) => void;
type Plan = readonly PutField[];

/** The v1beta1 list has other field numbers. Follows apimachinery pkg/apis/meta/v1beta1/generated.proto. */
export const oldMetadataList = 'meta.v1beta1.PartialObjectMetadataList';

interface Plans {
  readonly types: BuiltinTypes;
  readonly planOf: (type: string) => Plan;
}

function createPlans(types: BuiltinTypes): Plans {
  const cache = new Map<string, Plan>();
  const plans: Plans = {
    types,
    planOf: (type) => {
      const cached = cache.get(type);
      if (cached !== undefined) return cached;
      const plan = type === oldMetadataList ? planOldMetadataList(plans) : planStruct(plans, type);
      cache.set(type, plan);
      return plan;
    },
  };
  return plans;
}

const planOldMetadataList = (plans: Plans): Plan => [
  createFieldPut('items', putEachItem(createPut(plans, 1, { type: 'named', name: 'meta.v1.PartialObjectMetadata' }))),
  createFieldPut('metadata', createPut(plans, 2, { type: 'named', name: 'meta.v1.ListMeta' })),
];

function planStruct(plans: Plans, type: string): Plan {
  const info = plans.types.typeInfo(type);
  const fields = info?.is === 'struct' ? info.fields.filter(({ number }) => number > 0) : [];
  return fields.toSorted((a, b) => a.number - b.number).map((field) => planField(plans, field));
}

function putFields(writer: Writer, plan: Plan, value: JsonObject): void {
  for (const put of plan) put(writer, value);
}

function planField(plans: Plans, { name, type, number, pointer }: Field): PutField {
  const put = createPut(plans, number, type);
  // An inlined struct is a message with fields of its parent.
  if (name === '') return put;
  return createFieldPut(name, put, pointer ? undefined : zeroValue(plans, type));
}

/** undefined where Go writes nothing. */
function zeroValue(plans: Plans, type: TypeRef): JsonValue | undefined {
  if (type.type === 'scalar') return zeros[type.scalar];
  const info = type.type === 'named' ? plans.types.typeInfo(type.name) : undefined;
  if (info?.is === 'alias') return zeroValue(plans, info.of);
  return info?.is === 'struct' ? {} : undefined;
}

const zeros: Readonly<Partial<Record<Scalar, JsonValue>>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  time: '',
  microtime: '',
};

const createFieldPut =
  (name: string, put: WriteScalar, zero?: JsonValue): PutField =>
  (writer, parent) => {
    const value = parent[name] ?? zero;
    if (value !== undefined && value !== null) put(writer, value);
  };

function createPut(plans: Plans, number: number, type: TypeRef): WriteScalar {
  switch (type.type) {
    case 'scalar':
      return scalarPuts[type.scalar](number);
    case 'list':
      return createListPut(plans, number, type.of);
    case 'map':
      return putEachEntry(number, createPut(plans, 2, type.of));
    case 'named':
      return createNamedPut(plans, number, type.name);
  }
}

function createListPut(plans: Plans, number: number, of: TypeRef): WriteScalar {
  const info = of.type === 'named' ? plans.types.typeInfo(of.name) : undefined;
  if (of.type !== 'named' || info?.is !== 'struct') return putEachItem(createPut(plans, number, of));
  const tag = encodeTag(number, 2);
  const put = createLazyBody(plans, of.name, info);
  const messages: Messages<JsonValue> = { tag, put };
  return (writer, value) => putMessages(messages, writer, asList(value));
}

/** Lazy: a type may contain itself. */
function createLazyBody(plans: Plans, name: string, info: TypeInfo): WriteScalar {
  let body: WriteScalar | undefined;
  return (writer, value) => {
    body ??= createBody(plans, name, info);
    body(writer, value);
  };
}

function createNamedPut(plans: Plans, number: number, name: string): WriteScalar {
  const info = plans.types.typeInfo(name);
  if (info === undefined) throw new Error(`no type ${name}`);
  if (info.is === 'alias' && info.of.type !== 'list') return createPut(plans, number, info.of);
  const tag = encodeTag(number, 2);
  const body = createLazyBody(plans, name, info);
  return (writer, value) => putMessage(writer, tag, body, value);
}

function createBody(plans: Plans, name: string, info: TypeInfo): WriteScalar {
  switch (info.is) {
    case 'struct': {
      const plan = plans.planOf(name);
      return (writer, value) => putFields(writer, plan, asObject(value));
    }
    case 'union':
      return createUnionBody(plans, info.numbers);
    case 'alias':
      // A named list is a message with its items in field 1.
      return createPut(plans, 1, info.of);
  }
}

const putEachItem =
  (put: WriteScalar): WriteScalar =>
  (writer, value) => {
    for (const item of asList(value)) put(writer, item);
  };

function putEachEntry(number: number, put: WriteScalar): WriteScalar {
  const tag = encodeTag(number, 2);
  return (writer, value) => {
    const map = asObject(value);
    const putEntry = (entry: Writer, key: string): void => {
      entry.uint32(encodeTag(1, 2)).string(key);
      const item = map[key];
      if (item !== undefined) put(entry, item);
    };
    putMessages({ tag, put: putEntry }, writer, Object.keys(map));
  };
}

function putMessage<T>(writer: Writer, tag: number, put: (writer: Writer, item: T) => void, item: T): void {
  writer.uint32(tag).fork();
  put(writer, item);
  writer.ldelim();
}

interface Messages<T> {
  readonly tag: number;
  readonly put: (writer: Writer, item: T) => void;
}

function putMessages<T>({ tag, put }: Messages<T>, writer: Writer, items: readonly T[]): void {
  for (const item of items) putMessage(writer, tag, put, item);
}

/** Follows apiextensions-apiserver pkg/apis/apiextensions/v1/marshal.go. */
function createUnionBody(plans: Plans, numbers: Readonly<Record<string, number>>): WriteScalar {
  const schemaType: TypeRef = { type: 'named', name: unionSchemaType };
  const { allows = 0, schema = 0, jSONSchemas = 0, property = 0 } = numbers;
  const putSchema = createPut(plans, schema, schemaType);
  const putList = putEachItem(
    jSONSchemas > 0
      ? createPut(plans, jSONSchemas, schemaType)
      : createPut(plans, property, { type: 'scalar', scalar: 'string' }),
  );
  const putAllows = scalarPuts.bool(allows);
  return (writer, value: JsonValue) => {
    if (allows > 0) putAllows(writer, value !== false);
    if (isJsonObject(value)) putSchema(writer, value);
    else putList(writer, value);
  };
}
