import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { asString, type JsonValue } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { parseMicroTime, parseTime, type TimeReading } from '../../../machinery/meta/time.ts';
import type { Scalar } from '../../types/type-info.ts';
import type { Writer } from 'protobufjs/minimal.js';

export type WriteScalar = (writer: Writer, value: JsonValue) => void;

export const tagOf = (number: number, wireType: 0 | 1 | 2): number => ((number << 3) | wireType) >>> 0;

type PutNumbered = (number: number) => WriteScalar;

const putText: PutNumbered = (number) => {
  const tag = tagOf(number, 2);
  return (writer, value) => void writer.uint32(tag).string(asString(value));
};

const putInteger: PutNumbered = (number) => {
  const tag = tagOf(number, 0);
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

const inMessage =
  (put: WriteScalar): PutNumbered =>
  (number) => {
    const tag = tagOf(number, 2);
    return (writer, value) => {
      writer.uint32(tag).fork();
      put(writer, value);
      writer.ldelim();
    };
  };

const putFirst = putText(1);
const putRaw = inMessage((writer, value) => putFirst(writer, writeJson(value)));

const [putSeconds, putNanos] = [putInteger(1), putInteger(2)];

const momentOf = (parse: (text: string) => TimeReading): PutNumbered =>
  inMessage((writer, value) => {
    const reading = parse(asString(value));
    if (reading.outcome !== 'parsed') return;
    putSeconds(writer, reading.moment.seconds);
    putNanos(writer, reading.moment.nanos);
  });

const [putType, putNumber, putString] = [putInteger(1), putInteger(2), putText(3)];

export const scalarPuts: Readonly<Record<Scalar, PutNumbered>> = {
  string: putText,
  bool: (number) => {
    const tag = tagOf(number, 0);
    return (writer, value) => void writer.uint32(tag).bool(value === true);
  },
  int32: putInteger,
  int64: putInteger,
  float64: (number) => {
    const tag = tagOf(number, 1);
    return (writer, value) => void writer.uint32(tag).double(Number(value));
  },
  bytes: (number) => {
    const tag = tagOf(number, 2);
    return (writer, value) => {
      writer.uint32(tag).bytes(base64Bytes(asString(value)));
    };
  },
  quantity: inMessage(putFirst),
  intstr: inMessage((writer, value) => {
    const isText = typeof value === 'string';
    putType(writer, isText ? 1 : 0);
    putNumber(writer, isText ? 0 : value);
    putString(writer, isText ? value : '');
  }),
  time: momentOf(parseTime),
  microtime: momentOf(parseMicroTime),
  duration: putText,
  raw: putRaw,
  fieldsv1: putRaw,
  json: putRaw,
  any: putRaw,
};
