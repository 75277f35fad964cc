/** The fields of a message by name: their type, `repeated` before it where there may be several, and their number. */
export type Fields = Readonly<Record<string, readonly [type: string, id: number]>>;

/** Writes and reads messages of these types. Fields that are unknown are passed over, and missing ones have their zero value. */
export interface Codec {
  readonly encode: (type: string, message: object) => Buffer;
  /** Throws for bytes that are no such message. */
  readonly decode: (type: string, bytes: Uint8Array) => Readonly<Record<string, unknown>>;
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly id: number;
  readonly isList: boolean;
}

/** How a value stands on the wire. Follows protobuf's encoding; the types of fixed width are in none of our messages. */
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

interface MessageType {
  readonly listed: readonly Field[];
  readonly byId: ReadonlyMap<number, Field>;
}

type TypeOf = (type: string) => MessageType;

/**
 * Protobuf for few messages, made of a table: `int` is an int32 or int64 within 2^53, `id` any int64 as text, and `bytes`,
 * `bool`, `string` and other messages as they are.
 */
export function createCodec(messages: Readonly<Record<string, Fields>>): Codec {
  const types = new Map(Object.entries(messages).map(([type, fields]) => [type, messageType(fields)]));
  const typeOf: TypeOf = (type) => {
    const found = types.get(type);
    if (!found) throw new Error(`there is no message ${type}`);
    return found;
  };
  return {
    encode: (type, message) => encoded(typeOf, type, message),
    decode: (type, bytes) => decoded(typeOf, type, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  };
}

function messageType(fields: Fields): MessageType {
  const listed = Object.entries(fields).map(([name, [kind, id]]): Field => {
    const isList = kind.startsWith('repeated ');
    return { name, type: isList ? kind.slice('repeated '.length) : kind, id, isList };
  });
  return { listed, byId: new Map(listed.map((field) => [field.id, field])) };
}

function encoded(typeOf: TypeOf, type: string, message: object): Buffer {
  const parts: Uint8Array[] = [];
  const write = (field: Field, value: unknown): void => {
    if (wireOf(field.type) === wire.varint) {
      const number = field.type === 'id' ? BigInt(String(value)) : Number(value);
      if (Number(number) !== 0) parts.push(varintOf(field.id * 8), varintOf(number));
      return;
    }
    const bytes = value instanceof Uint8Array ? value : encoded(typeOf, field.type, Object(value));
    parts.push(varintOf(field.id * 8 + wire.bytes), varintOf(bytes.length), bytes);
  };
  for (const field of typeOf(type).listed) {
    const value: unknown = Reflect.get(message, field.name);
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) write(field, one);
  }
  return Buffer.concat(parts);
}

function decoded(typeOf: TypeOf, type: string, bytes: Buffer): Record<string, unknown> {
  const { listed, byId } = typeOf(type);
  const message: Record<string, unknown> = {};
  for (const field of listed) message[field.name] = field.isList ? [] : zeroOf(field.type);
  const reader = readerOf(bytes);
  const read = (kind: string): unknown => {
    if (kind === 'int') return reader.int();
    if (kind === 'bool') return reader.int() !== 0;
    if (kind === 'id') return reader.id();
    const [from, to] = reader.span();
    if (kind === 'bytes') return bytes.subarray(from, to);
    return kind === 'string' ? bytes.toString('utf8', from, to) : decoded(typeOf, kind, bytes.subarray(from, to));
  };
  while (reader.more()) {
    const tag = reader.int();
    const field = byId.get(Math.floor(tag / 8));
    if (!field || (tag & 7) !== wireOf(field.type)) reader.skip(tag & 7);
    else if (field.isList) listIn(message, field.name).push(read(field.type));
    else message[field.name] = read(field.type);
  }
  return message;
}

const scalars: Readonly<Record<string, unknown>> = { int: 0, id: '0', bool: false, string: '', bytes: Buffer.alloc(0) };

/** What a field has that was not sent; of a message nothing. */
const zeroOf = (type: string): unknown => scalars[type];

const wireOf = (type: string): number =>
  type === 'int' || type === 'id' || type === 'bool' ? wire.varint : wire.bytes;

function listIn(message: Readonly<Record<string, unknown>>, name: string): unknown[] {
  const list = message[name];
  return Array.isArray(list) ? list : [];
}

/** Seven bits a byte, the lowest first. */
function varintOf(value: number | bigint): Uint8Array {
  if (typeof value === 'number' && value < 0x80) return Uint8Array.of(value);
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

interface Reader {
  readonly more: () => boolean;
  /** A number that a double holds. */
  readonly int: () => number;
  /** Any number of 64 bits with its sign, as text. */
  readonly id: () => string;
  /** Where the bytes begin and end whose length stands here. */
  readonly span: () => readonly [from: number, to: number];
  readonly skip: (wireType: number) => void;
}

function readerOf(bytes: Buffer): Reader {
  const end = bytes.length;
  let at = 0;
  const next = (): number => {
    const byte = at < end ? bytes[at] : undefined;
    if (byte === undefined) throw new Error('a message ends too early');
    at += 1;
    return byte;
  };
  const int = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = next();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  };
  const id = (): string => {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = next();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return String(BigInt.asIntN(64, value));
      shift += 7n;
    }
  };
  const span = (): readonly [number, number] => {
    const length = int();
    const from = at;
    if (!(length <= end - from)) throw new Error('a message ends too early');
    at += length;
    return [from, at];
  };
  return {
    more: () => at < end,
    int,
    id,
    span,
    skip: (wireType) => {
      if (wireType === wire.varint) int();
      else if (wireType === wire.bytes) span();
      else if (wireType === wire.fixed64) at += 8;
      else if (wireType === wire.fixed32) at += 4;
      else throw new Error(`a message has a field of wire type ${wireType}`);
    },
  };
}
