import { expect, test } from 'vitest';
import { nameInProtobuf } from '../../../src/explain/trace/sent-body.ts';

const bytes = (field: number, content: readonly number[]): readonly number[] => [
  field * 8 + 2,
  content.length,
  ...content,
];
const text = (value: string): readonly number[] => [...new TextEncoder().encode(value)];
const prefix = [0x6b, 0x38, 0x73, 0];
const kind = bytes(1, [...bytes(1, text('v1')), ...bytes(2, text('ConfigMap'))]);
const named = bytes(2, bytes(1, bytes(1, text('web'))));

const rows: readonly [fact: string, body: readonly number[], name: string][] = [
  ['an object in its envelope', [...prefix, ...kind, ...named], 'web'],
  ['generateName is no name', [...prefix, ...kind, ...bytes(2, bytes(1, bytes(2, text('web-'))))], ''],
  ['an object without metadata', [...prefix, ...kind, ...bytes(2, bytes(2, text('x')))], ''],
  ['no envelope', [...kind, ...named], ''],
  ['nothing', [], ''],
  ['the envelope alone', prefix, ''],
  ['cut off in the name', [...prefix, ...kind, ...named].slice(0, -1), ''],
  ['a length that never ends', [...prefix, 0x12, 0xff, 0xff, 0xff, 0xff, 0xff], ''],
  ['a length beyond the end', [...prefix, 0x12, 0xff, 0x7f, 0], ''],
];

test.each(rows)('%s', (_fact, body, name) => {
  expect(nameInProtobuf(Uint8Array.from(body))).toBe(name);
});
