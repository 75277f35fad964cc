import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createUnread } from '../../../src/adapters/http/memory-guard.ts';
import type { WireResponse } from '../../../src/adapters/http/wire-response.ts';

const document = (length: number): WireResponse => ({
  type: 'buffered',
  code: 200,
  headers: {},
  body: Buffer.alloc(length),
});
const parts = (held: number): WireResponse => ({
  type: 'parts',
  code: 200,
  headers: {},
  parts: Readable.from([]),
  held,
});

test('what clients do not read has a bound, and room is made again when they do, or go', () => {
  const unread = createUnread(100_000);
  const [first, second] = [new EventEmitter(), new EventEmitter()];
  unread.hold(document(60_000), first);
  unread.hold(parts(40_000), second);
  unread.hold(document(16 * 1024 - 1), new EventEmitter());
  expect(unread.refusal('GET')).toBeUndefined();
  unread.hold(parts(16 * 1024), new EventEmitter());
  expect(unread.refusal('GET')).toMatchObject({
    code: 429,
    message: '1 MiB of answers wait for their clients to read them',
    details: { retryAfterSeconds: 1 },
  });
  expect(unread.refusal('DELETE')).toBeUndefined();
  second.emit('close');
  expect(unread.refusal('GET')).toBeUndefined();
});
