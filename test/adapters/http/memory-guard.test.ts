import { expect, test } from 'vitest';
import { createMemoryGuard } from '../../../src/adapters/http/memory-guard.ts';

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
  guard.cleanedUp();
  expect(guard.exhaustion()).toBeUndefined();
  heap.used = 0.93 * limit;
  expect(guard.exhaustion()).toMatchObject(refused);
  heap.used = 0.5 * limit;
  guard.cleanedUp();
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
  guard.cleanedUp();
  expect(guard.refusal('POST')).toBeUndefined();
  now += 999;
  expect(guard.refusal('POST')).toMatchObject(refused);
  expect(guard.refusal('GET')).toMatchObject(refused);
  expect(guard.refusal('DELETE')).toBeUndefined();
  now += 1;
  expect(guard.refusal('GET')).toBeUndefined();
  expect(guard.refusal('GET')).toMatchObject(refused);
  heap.used = 0.5 * limit;
  guard.cleanedUp();
  expect(guard.refusal('GET')).toBeUndefined();
});
