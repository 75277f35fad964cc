import { expect, test } from 'vitest';
import { readMessage, writeMessage } from './wire-format.ts';

// Source: protobuf's encoding guide, https://protobuf.dev/programming-guides/encoding/
test.each([
  ['a number', '089601', [{ number: 1, wire: 0, bytes: '9601' }]],
  ['a text', '120774657374696e67', [{ number: 2, wire: 2, bytes: '74657374696e67' }]],
  [
    'four bytes after eight',
    '0d01020304110102030405060708',
    [
      { number: 1, wire: 5, bytes: '01020304' },
      { number: 2, wire: 1, bytes: '0102030405060708' },
    ],
  ],
  ['a field above 15', '82010161', [{ number: 16, wire: 2, bytes: '61' }]],
])('%s is read and written', (_what, hex, fields) => {
  const read = readMessage(Buffer.from(hex, 'hex'));
  expect(read?.map(({ bytes, ...rest }) => ({ ...rest, bytes: Buffer.from(bytes).toString('hex') }))).toEqual(fields);
  expect(Buffer.from(writeMessage(read ?? [])).toString('hex')).toBe(hex);
});

test.each(['12', '1205aa', '00', '08ff', '0b'])('%s is no message', (hex) => {
  expect(readMessage(Buffer.from(hex, 'hex'))).toBeUndefined();
});
