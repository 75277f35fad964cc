import protobuf from 'protobufjs/light.js';
import { describe, expect, test } from 'vitest';
import { createCodec } from '../../src/engines/etcd/wire-format.ts';

const codec = createCodec({
  Leaf: { name: ['bytes', 1], revision: ['int', 3], lease: ['id', 6] },
  Whole: { leaf: ['Leaf', 1], leaves: ['repeated Leaf', 2], more: ['bool', 3], why: ['string', 300] },
});

/** The same messages as protobufjs knows them, and a newer form of them with fields that nobody here knows. */
const other = protobuf.Root.fromJSON({
  nested: {
    Leaf: {
      fields: {
        name: { type: 'bytes', id: 1 },
        revision: { type: 'int64', id: 3 },
        lease: { type: 'int64', id: 6 },
        later: { type: 'fixed32', id: 7 },
        far: { type: 'double', id: 8 },
      },
    },
    Whole: {
      fields: {
        leaf: { type: 'Leaf', id: 1 },
        leaves: { rule: 'repeated', type: 'Leaf', id: 2 },
        more: { type: 'bool', id: 3 },
        unknown: { type: 'int64', id: 4 },
        also: { type: 'string', id: 5 },
        why: { type: 'string', id: 300 },
      },
    },
  },
});
const bytesOf = (type: string, message: object): Uint8Array => {
  const found = other.lookupType(type);
  return found.encode(found.fromObject(message)).finish();
};
const zeros = { name: Buffer.alloc(0), revision: 0, lease: '0' };

describe('messages of a table', () => {
  test.each([
    ['nothing', 'Whole', {}],
    ['one of each', 'Leaf', { name: Buffer.from('/a'), revision: 7, lease: '7587862094907990213' }],
    ['a number of two bytes, and the largest that a double holds', 'Leaf', { revision: 128, lease: '1' }],
    ['the largest that a double holds', 'Leaf', { revision: Number.MAX_SAFE_INTEGER }],
    ['a lease below nothing', 'Leaf', { lease: '-5' }],
    [
      'messages in messages, two of them',
      'Whole',
      { leaf: { revision: 1 }, leaves: [{ revision: 2 }, {}], more: true },
    ],
    ['a value of 300 bytes', 'Leaf', { name: Buffer.alloc(300, 'x') }],
  ])('%s is written as protobufjs writes it, and read again', (_what, type, message) => {
    const bytes = codec.encode(type, message);
    expect(bytes).toEqual(Buffer.from(bytesOf(type, message)));
    expect(codec.decode(type, bytes)).toMatchObject(message);
  });

  test('what was not sent has its zero value, and a message that was not sent is none', () => {
    expect(codec.decode('Whole', Buffer.alloc(0))).toEqual({ leaf: undefined, leaves: [], more: false, why: '' });
    expect(codec.decode('Whole', bytesOf('Whole', { leaf: {}, leaves: [{}] }))).toMatchObject({
      leaf: zeros,
      leaves: [zeros],
    });
  });

  test('fields of a newer server are passed over', () => {
    const bytes = bytesOf('Whole', { leaves: [{ revision: 1, later: 5, far: 0.5 }], unknown: 1, also: 'x', why: 'é' });
    expect(codec.decode('Whole', bytes)).toMatchObject({ leaves: [{ ...zeros, revision: 1 }], why: 'é' });
  });

  test('bytes that end early or are none of this are refused, wherever they are cut', () => {
    const bytes = bytesOf('Whole', { leaf: { name: Buffer.from('/a'), revision: 300 } });
    for (let end = 1; end < bytes.length; end += 1) {
      expect(() => codec.decode('Whole', bytes.subarray(0, end)), `${end} bytes`).toThrow('ends too early');
    }
    expect(() => codec.decode('Leaf', Uint8Array.of(0x0b))).toThrow('wire type 3');
  });
});
