import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createMemoryGuard, createUnsentResponses } from '../../../src/adapters/http/memory-guard.ts';
import type { WireResponse } from '../../../src/adapters/http/encode.ts';

const limit = 2 * 2 ** 30;
const refused = {
  code: 429,
  message:
    'kadmit has used up its memory of 2.0 GiB: start it with NODE_OPTIONS=--max-old-space-size=8192 for 8 GiB, or delete objects',
  details: { retryAfterSeconds: 1 },
};

test('what goes on and on stops when hardly anything is left of the reserve', () => {
  const heap = { used: 0.9 * limit, limit };
  const guard = createMemoryGuard(
    () => heap,
    () => 0,
  );
  guard.onCollected();
  expect(guard.exhaustion()).toBeUndefined();
  heap.used = 0.93 * limit;
  expect(guard.exhaustion()).toMatchObject(refused);
  heap.used = 0.5 * limit;
  guard.onCollected();
  heap.used = 0.93 * limit; // It may all be garbage.
  expect(guard.exhaustion()).toBeUndefined();
});

test('while memory is used up one request a second comes in, and whatever deletes', () => {
  const heap = { used: 0.9 * limit, limit };
  let now = 5000;
  const guard = createMemoryGuard(
    () => heap,
    () => now,
  );
  expect(guard.refusal('POST')).toBeUndefined(); // It may all be garbage.
  guard.onCollected();
  expect(guard.refusal('POST')).toBeUndefined();
  now += 999;
  expect(guard.refusal('POST')).toMatchObject(refused);
  expect(guard.refusal('GET')).toMatchObject(refused);
  expect(guard.refusal('DELETE')).toBeUndefined();
  now += 1;
  expect(guard.refusal('GET')).toBeUndefined();
  expect(guard.refusal('GET')).toMatchObject(refused);
  heap.used = 0.5 * limit;
  guard.onCollected();
  expect(guard.refusal('GET')).toBeUndefined();
});

const document = (length: number): WireResponse => ({
  type: 'buffered',
  code: 200,
  headers: {},
  body: Buffer.alloc(length),
});
/** Rendered while it is sent: nothing of it waits in memory. */
const parts: WireResponse = { type: 'parts', code: 200, headers: {}, parts: Readable.from([]) };

test('responses that clients do not read have a bound, and count until they are read or the client disconnects', () => {
  const unsent = createUnsentResponses(100_000);
  const [first, second] = [new EventEmitter(), new EventEmitter()];
  unsent.track(document(60_000), first);
  unsent.track(document(40_000), second);
  unsent.track(document(16 * 1024 - 1), new EventEmitter());
  unsent.track(parts, new EventEmitter());
  expect(unsent.refusal('GET')).toBeUndefined();
  unsent.track(document(16 * 1024), new EventEmitter());
  expect(unsent.refusal('GET')).toMatchObject({
    code: 429,
    message: '1 MiB of responses wait for their clients to read them',
    details: { retryAfterSeconds: 1 },
  });
  expect(unsent.refusal('DELETE')).toBeUndefined();
  second.emit('close');
  expect(unsent.refusal('GET')).toBeUndefined();
});
