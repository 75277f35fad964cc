import { expect, test } from 'vitest';
import { createFrameReader, frameOf } from '../../src/engines/etcd/grpc-frames.ts';

const messages = ['', 'a', 'b'.repeat(300), ''].map((text) => Buffer.from(text));
const bytes = Buffer.concat(messages.map(frameOf));

test.each([1, 2, 5, 6, 7, 299, 305, 1000])('messages are whole whatever the pieces: %i bytes at a time', (size) => {
  const heard: Buffer[] = [];
  const read = createFrameReader((message) => heard.push(message));
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  expect(heard).toEqual(messages);
});

test('what has not ended is not told', () => {
  const heard: Buffer[] = [];
  createFrameReader((message) => heard.push(message))(bytes.subarray(0, bytes.length - 1));
  expect(heard).toEqual(messages.slice(0, -1));
});

test('a message that would not fit into memory is refused before it is there', () => {
  const read = createFrameReader(() => {});
  expect(() => read(Buffer.from([0, 0x1f, 0xff, 0xff, 0xfb]))).not.toThrow();
  expect(() => createFrameReader(() => {})(Buffer.from([0, 0x1f, 0xff, 0xff, 0xfc]))).toThrow(
    'a message of 536870908 bytes, which is too long',
  );
});

test('a compressed message is refused', () => {
  expect(() => createFrameReader(() => {})(Buffer.from([1, 0, 0, 0, 0]))).toThrow('compressed');
});
