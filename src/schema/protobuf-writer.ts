import type { Writer } from 'protobufjs/minimal.js';
import { asList, asObject, asString, isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { parseMicroTime, parseTime } from '../apimachinery/time.ts';
import type { TimeReading } from '../apimachinery/time.ts';
import { typeInfo } from './builtin-types.ts';
import type { Field, Scalar, TypeInfo, TypeRef } from './builtin-types.ts';
import { unionSchemaType } from './json-union.ts';
import type { ProtobufLibrary } from './protobuf-reader.ts';

export interface ProtobufWriter {
  readonly writeMessage: (type: string, value: JsonObject) => Uint8Array;
}

/** Writes objects as Kubernetes messages: what protobuf-reader.ts reads. Null and absent fields are left out. */
export const protobufWriter = (library: ProtobufLibrary): ProtobufWriter => ({
  writeMessage: (type, value) => {
    const writer = library.Writer.create();
    const info = typeInfo(type);
    if (info?.is === 'struct') writeFields(writer, info, value);
    return writer.finish();
  },
});

type Struct = TypeInfo & { readonly is: 'struct' };

const tag = (writer: Writer, number: number, wireType: number): Writer => writer.uint32((number << 3) | wireType);

function writeFields(writer: Writer, info: Struct, value: JsonObject): void {
  for (const field of info.fields.toSorted((a, b) => a.number - b.number)) {
    if (field.number > 0) writeField(writer, field, value);
  }
}

function writeField(writer: Writer, { name, type, number }: Field, parent: JsonObject): void {
  // An inlined struct is a message of its own, its fields those of the parent.
  if (name === '') return writeOne(writer, number, type, parent);
  const value = parent[name];
  if (value === undefined || value === null) return;
  if (type.type === 'list') {
    for (const item of asList(value)) writeOne(writer, number, type.of, item);
  } else if (type.type === 'map') {
    for (const [key, item] of Object.entries(asObject(value))) {
      tag(writer, number, 2).fork();
      tag(writer, 1, 2).string(key);
      if (item !== undefined) writeOne(writer, 2, type.of, item);
      writer.ldelim();
    }
  } else {
    writeOne(writer, number, type, value);
  }
}

function writeOne(writer: Writer, number: number, type: TypeRef, value: JsonValue): void {
  if (type.type === 'scalar') return scalarWriters[type.scalar](writer, number, value);
  const info = type.type === 'named' ? typeInfo(type.name) : undefined;
  if (info === undefined) return;
  if (info.is === 'alias' && info.of.type !== 'list') return writeOne(writer, number, info.of, value);
  tag(writer, number, 2).fork();
  writeBody(writer, info, value);
  writer.ldelim();
}

function writeBody(writer: Writer, info: TypeInfo, value: JsonValue): void {
  if (info.is === 'struct') writeFields(writer, info, asObject(value));
  else if (info.is === 'union') writeUnion(writer, info.numbers, value);
  else if (info.of.type === 'list') writeItems(writer, 1, info.of.of, value);
}

function writeItems(writer: Writer, number: number, of: TypeRef, value: JsonValue): void {
  for (const item of asList(value)) writeOne(writer, number, of, item);
}

function writeUnion(writer: Writer, numbers: Readonly<Record<string, number>>, value: JsonValue): void {
  const schema: TypeRef = { type: 'named', name: unionSchemaType };
  const { allows = 0, schema: schemaNumber = 0, jSONSchemas = 0, property = 0 } = numbers;
  if (allows > 0) tag(writer, allows, 0).bool(value !== false);
  if (isJsonObject(value)) writeOne(writer, schemaNumber, schema, value);
  else if (jSONSchemas > 0) writeItems(writer, jSONSchemas, schema, value);
  else if (property > 0) writeItems(writer, property, { type: 'scalar', scalar: 'string' }, value);
}

type ScalarWriter = (writer: Writer, number: number, value: JsonValue) => void;

const writeText: ScalarWriter = (writer, number, value) => void tag(writer, number, 2).string(asString(value));

const writeInteger: ScalarWriter = (writer, number, value) => {
  const bits = BigInt.asUintN(64, typeof value === 'bigint' ? value : BigInt(Number(value)));
  tag(writer, number, 0);
  // The library wants a package of its own for 64 bits: its words suffice.
  writer.uint64({ low: Number(bits & 0xffffffffn) | 0, high: Number(bits >> 32n) | 0, unsigned: true });
};

const writeRaw: ScalarWriter = (writer, number, value) => {
  tag(writer, number, 2).fork();
  tag(writer, 1, 2).string(JSON.stringify(value));
  writer.ldelim();
};

const writeMoment =
  (parse: (text: string) => TimeReading): ScalarWriter =>
  (writer, number, value) => {
    const reading = parse(asString(value));
    tag(writer, number, 2).fork();
    if (reading.outcome === 'parsed') {
      writeInteger(writer, 1, reading.moment.seconds);
      writeInteger(writer, 2, reading.moment.nanos);
    }
    writer.ldelim();
  };

const scalarWriters: Readonly<Record<Scalar, ScalarWriter>> = {
  string: writeText,
  bool: (writer, number, value) => void tag(writer, number, 0).bool(value === true),
  int32: writeInteger,
  int64: writeInteger,
  float64: (writer, number, value) => void tag(writer, number, 1).double(Number(value)),
  bytes: (writer, number, value) => {
    tag(writer, number, 2).bytes(Uint8Array.from(atob(asString(value)), (char) => char.charCodeAt(0)));
  },
  quantity: (writer, number, value) => {
    tag(writer, number, 2).fork();
    writeText(writer, 1, value);
    writer.ldelim();
  },
  intstr: (writer, number, value) => {
    const isText = typeof value === 'string';
    tag(writer, number, 2).fork();
    writeInteger(writer, 1, isText ? 1 : 0);
    writeInteger(writer, 2, isText ? 0 : value);
    writeText(writer, 3, isText ? value : '');
    writer.ldelim();
  },
  time: writeMoment(parseTime),
  microtime: writeMoment(parseMicroTime),
  duration: writeText,
  raw: writeRaw,
  fieldsv1: writeRaw,
  json: writeRaw,
  any: writeRaw,
};
