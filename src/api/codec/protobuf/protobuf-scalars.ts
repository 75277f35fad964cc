import type { Reader } from 'protobufjs/minimal.js';
import type { JsonDocument } from '../../../machinery/json/json.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { isZeroMoment, microMomentText, momentText } from '../../../machinery/meta/time.ts';
import { encodeBytes } from '../../../machinery/go/base64-bytes.ts';
import type { Scalar } from '../../types/type-info.ts';
import { WireError, eachField, message, readFields } from './protobuf-fields.ts';
import type { Plan, Wire } from './protobuf-fields.ts';

const text: Wire = { wireType: 2, read: (reader) => reader.string(), zero: () => '' };
const json: Wire = message(readRawJson, () => null);

/** How scalars are on the wire; those that are structs in Go are messages. */
export const scalarWires: Readonly<Record<Scalar, Wire>> = {
  string: text,
  bool: { wireType: 0, read: (reader) => reader.bool(), zero: () => false },
  int32: { wireType: 0, read: (reader) => reader.int32(), zero: () => 0 },
  int64: { wireType: 0, read: readInt64, zero: () => 0 },
  float64: { wireType: 1, read: (reader) => reader.double(), zero: () => 0 },
  bytes: { wireType: 2, read: (reader) => encodeBytes(reader.bytes()), zero: () => '' },
  quantity: message(
    (reader, end) => firstText(reader, end) ?? null,
    () => null,
  ),
  intstr: message(readIntOrString, () => 0),
  time: message(
    (reader, end) => readTime(reader, end, momentText),
    () => null,
  ),
  microtime: message(
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
    if (byte < 128) return plainInteger(BigInt.asIntN(64, value));
  }
  throw new WireError('proto: integer overflow');
}

function plainInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function firstText(reader: Reader, end: number): string | undefined {
  let found: string | undefined;
  eachField(reader, end, (number, wireType) => {
    if (number === 1) found = reader.string();
    else reader.skipType(wireType, 0, number);
  });
  return found;
}

function readIntOrString(reader: Reader, end: number): JsonDocument {
  const plan: Plan = new Map([
    [1, { name: 'type', shape: 'one', wire: scalarWires.int64 }],
    [2, { name: 'intVal', shape: 'one', wire: scalarWires.int32 }],
    [3, { name: 'strVal', shape: 'one', wire: text }],
  ]);
  const { type = 0, intVal = 0, strVal = '' } = readFields(plan, reader, end);
  return type === 1 ? strVal : intVal;
}

/** Nothing but zeros is Go's zero time, not 1970. Follows apimachinery pkg/apis/meta/v1/time_proto.go. */
function readTime(
  reader: Reader,
  end: number,
  print: (moment: { readonly seconds: number; readonly nanos: number }) => string,
): JsonDocument {
  const plan: Plan = new Map([
    [1, { name: 'seconds', shape: 'one', wire: scalarWires.int64 }],
    [2, { name: 'nanos', shape: 'one', wire: scalarWires.int32 }],
  ]);
  const { seconds = 0, nanos = 0 } = readFields(plan, reader, end);
  const moment = { seconds: Number(seconds), nanos: Number(nanos) };
  if ((moment.seconds === 0 && moment.nanos === 0) || isZeroMoment(moment)) return null;
  if (Math.abs(moment.seconds) > 253402300799) throw new WireError('Time.MarshalJSON: year outside of range [0,9999]');
  return print(moment);
}

const rawPlan: Plan = new Map([[1, { name: 'raw', shape: 'one', wire: text }]]);

function readRawJson(reader: Reader, end: number): JsonDocument {
  const { raw } = readFields(rawPlan, reader, end);
  if (typeof raw !== 'string' || raw === '') return null;
  const reading = readJson(raw);
  if (reading.outcome === 'unreadable') throw new WireError(reading.error);
  return reading.json.value;
}
