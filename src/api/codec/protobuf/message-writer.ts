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
