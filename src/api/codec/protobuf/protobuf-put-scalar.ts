import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { asString, type JsonValue } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { parseMicroTime, parseTime, type TimeReading } from '../../../machinery/meta/time.ts';
import type { Scalar } from '../../types/type-info.ts';
import { byteLength } from '../../../machinery/meta/names.ts';

/** Bytes, or only their count. */
export interface Sized {
  readonly length: number;
}

/** The part of protobufjs' writer in use. */
export interface MessageWriter {
  readonly uint32: (value: number) => MessageWriter;
  readonly int32: (value: number) => MessageWriter;
  readonly uint64: (value: { low: number; high: number; unsigned: boolean }) => MessageWriter;
  readonly bool: (value: boolean) => MessageWriter;
  readonly double: (value: number) => MessageWriter;
  readonly string: (value: string) => MessageWriter;
  // oxlint-disable-next-line typescript/method-signature-style -- the bytes are those of a writer of the same kind
  bytes(value: Sized): MessageWriter;
  readonly fork: () => MessageWriter;
  readonly ldelim: () => MessageWriter;
  readonly finish: () => Sized;
}

/** Counts the bytes of a message without writing it. */
export function createSizeWriter(): MessageWriter {
  let length = 0;
  const outside: number[] = [];
  const add = (bytes: number): MessageWriter => {
    length += bytes;
    return writer;
  };
  const delimited = (bytes: number): MessageWriter => add(varintSize(bytes) + bytes);
  const writer: MessageWriter = {
    uint32: (value) => add(varintSize(value)),
    int32: (value) => add(value < 0 ? longestVarint : varintSize(value)),
    uint64: ({ low, high }) => add(high === 0 ? varintSize(low) : Math.ceil((64 - Math.clz32(high)) / 7)),
    bool: () => add(1),
    double: () => add(8),
    string: (value) => delimited(byteLength(value)),
    bytes: (value) => delimited(value.length),
    fork: () => {
      outside.push(length);
      length = 0;
      return writer;
    },
    ldelim: () => {
      const inside = length;
      length = outside.pop() ?? 0;
      return delimited(inside);
    },
    finish: () => ({ length }),
  };
  return writer;
}

const longestVarint = 10;

const varintSize = (value: number): number => Math.max(1, Math.ceil((32 - Math.clz32(value)) / 7));

export type WriteScalar = (writer: MessageWriter, value: JsonValue) => void;

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
function writeLong(writer: MessageWriter, bits: bigint): void {
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
