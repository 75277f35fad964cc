import type { Reader, Writer } from 'protobufjs/minimal.js';
import { setOwn, type JsonDocument, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { maxBodyValues, tooManyValuesText } from '../../../machinery/json/body-limits.ts';
import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { parseMicroTime, parseTime, type TimeReading } from '../../../machinery/meta/time.ts';
import type { Scalar } from '../../types/type-info.ts';

export class WireError extends Error {}

export type Document = Record<string, JsonDocument>;

export interface Wire {
  readonly wireType: 0 | 1 | 2;
  readonly read: (reader: Reader) => JsonDocument;
  /** The value of a map entry without one. */
  readonly zero: () => JsonDocument;
}

export interface FieldPlan {
  readonly name: string;
  readonly shape: 'one' | 'list' | 'map' | 'inlined';
  readonly wire: Wire;
}

export type MessagePlan = ReadonlyMap<number, FieldPlan>;

/** Length-delimited. */
export const createMessageWire = (
  read: (reader: Reader, end: number) => JsonDocument,
  zero: () => JsonDocument,
): Wire => ({
  wireType: 2,
  read: (reader) => read(reader, readMessageEnd(reader)),
  zero,
});

export function readMessageEnd(reader: Reader): number {
  const size = reader.uint32();
  if (size > reader.len - reader.pos) throw new WireError('unexpected EOF');
  return reader.pos + size;
}

export function readFields(plan: MessagePlan, reader: Reader, end: number): Document {
  const document: Document = {};
  readEachField(reader, end, (number, wireType) => {
    const field = plan.get(number);
    if (field === undefined) reader.skipType(wireType, 0, number);
    else readField(field, reader, wireType, document);
  });
  return document;
}

/** The values of a body, whose messages share the reader. */
const counts = new WeakMap<Reader, number>();

function countValue(reader: Reader): void {
  const count = (counts.get(reader) ?? 0) + 1;
  if (count > maxBodyValues) throw new WireError(tooManyValuesText);
  counts.set(reader, count);
}

/** `read` consumes the value of each field. */
export function readEachField(reader: Reader, end: number, read: (number: number, wireType: number) => void): void {
  while (reader.pos < end) {
    countValue(reader);
    const tag = reader.uint32();
    if (tag >>> 3 === 0) throw new WireError('proto: illegal tag 0 (wire type 0)');
    read(tag >>> 3, tag & 7);
  }
  if (reader.pos !== end) throw new WireError('unexpected EOF');
}

function readField(field: FieldPlan, reader: Reader, wireType: number, document: Document): void {
  const { name, shape, wire } = field;
  if (shape === 'map') {
    expectWire(name, wireType, 2);
    document[name] = readEntry(wire, reader, document[name]);
  } else if (shape === 'list') {
    document[name] = readItems(field, reader, wireType, document[name]);
  } else {
    expectWire(name, wireType, wire.wireType);
    const value = wire.read(reader);
    if (shape === 'inlined') Object.assign(document, value);
    else document[name] = value;
  }
}

function readItems(
  { name, wire }: FieldPlan,
  reader: Reader,
  wireType: number,
  previous: JsonDocument | undefined,
): readonly JsonDocument[] {
  const items: JsonDocument[] = Array.isArray(previous) ? previous : [];
  if (wireType === 2 && wire.wireType !== 2) {
    const end = readMessageEnd(reader);
    while (reader.pos < end) {
      countValue(reader);
      items.push(wire.read(reader));
    }
    return items;
  }
  expectWire(name, wireType, wire.wireType);
  items.push(wire.read(reader));
  return items;
}

function expectWire(name: string, wireType: number, expected: number): void {
  if (wireType !== expected) throw new WireError(`proto: wrong wireType = ${wireType} for field ${name}`);
}

function readEntry(wire: Wire, reader: Reader, previous: JsonDocument | undefined): JsonDocument {
  const map: Document = isDocument(previous) ? previous : {};
  let key = '';
  let value: JsonDocument | undefined;
  readEachField(reader, readMessageEnd(reader), (number, wireType) => {
    if (number === 1) key = reader.string();
    else if (number === 2) value = wire.read(reader);
    else reader.skipType(wireType, 0, number);
  });
  return setOwn(map, key, value ?? wire.zero());
}

const isDocument = (value: JsonDocument | undefined): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type WriteScalar = (writer: Writer, value: JsonValue) => void;

export const encodeTag = (number: number, wireType: 0 | 1 | 2): number => ((number << 3) | wireType) >>> 0;

type PutNumbered = (number: number) => WriteScalar;

const putText: PutNumbered = (number) => {
  const tag = encodeTag(number, 2);
  return (writer, value) => void writer.uint32(tag).string(asString(value));
};

const putInteger: PutNumbered = (number) => {
  const tag = encodeTag(number, 0);
  return (writer, value) => {
    writer.uint32(tag);
    if (typeof value === 'number' && (value | 0) === value) writer.int32(value);
    else writeLong(writer, BigInt.asUintN(64, typeof value === 'bigint' ? value : BigInt(Number(value))));
  };
};

/** protobufjs needs another package for 64 bits: two words suffice. */
function writeLong(writer: Writer, bits: bigint): void {
  writer.uint64({ low: Number(bits & 0xffffffffn) | 0, high: Number(bits >> 32n) | 0, unsigned: true });
}

const putInMessage =
  (put: WriteScalar): PutNumbered =>
  (number) => {
    const tag = encodeTag(number, 2);
    return (writer, value) => {
      writer.uint32(tag).fork();
      put(writer, value);
      writer.ldelim();
    };
  };

const putFirst = putText(1);
const putRaw = putInMessage((writer, value) => putFirst(writer, writeJson(value)));

const [putSeconds, putNanos] = [putInteger(1), putInteger(2)];

const putMoment = (parse: (text: string) => TimeReading): PutNumbered =>
  putInMessage((writer, value) => {
    const reading = parse(asString(value));
    if (reading.outcome !== 'parsed') return;
    putSeconds(writer, reading.moment.seconds);
    putNanos(writer, reading.moment.nanos);
  });

const [putType, putNumber, putString] = [putInteger(1), putInteger(2), putText(3)];

export const scalarPuts: Readonly<Record<Scalar, PutNumbered>> = {
  string: putText,
  bool: (number) => {
    const tag = encodeTag(number, 0);
    return (writer, value) => void writer.uint32(tag).bool(value === true);
  },
  int32: putInteger,
  int64: putInteger,
  float64: (number) => {
    const tag = encodeTag(number, 1);
    return (writer, value) => void writer.uint32(tag).double(Number(value));
  },
  bytes: (number) => {
    const tag = encodeTag(number, 2);
    return (writer, value) => {
      writer.uint32(tag).bytes(base64Bytes(asString(value)));
    };
  },
  quantity: putInMessage(putFirst),
  intstr: putInMessage((writer, value) => {
    const isText = typeof value === 'string';
    putType(writer, isText ? 1 : 0);
    putNumber(writer, isText ? 0 : value);
    putString(writer, isText ? value : '');
  }),
  time: putMoment(parseTime),
  microtime: putMoment(parseMicroTime),
  duration: putText,
  raw: putRaw,
  fieldsv1: putRaw,
  json: putRaw,
  any: putRaw,
};
