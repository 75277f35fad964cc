import { expect, test } from 'vitest';
import { createClientFactory } from '../../src/controllers/client.ts';
import { createVirtualClock } from '../../src/faults/virtual-clock.ts';

const objectOf = (fields: number): { readonly [name: string]: string } =>
  Object.fromEntries(Array.from({ length: fields }, (_none, at) => [`field-${at}`, 'a value']));

test.each([
  ['few fields are written at once', 1_000, 0],
  ['others are let in while very many are written', 30_000, 10],
])('%s', async (_what, fields, least) => {
  let paused = 0;
  const sent: unknown[] = [];
  const client = createClientFactory({
    handle: ({ body }) => {
      sent.push(JSON.parse(new TextDecoder().decode(body)));
      return Promise.resolve({ type: 'object', code: 200, body: {}, warnings: [] });
    },
    clock: createVirtualClock(0),
    newUid: () => '',
    signal: new AbortController().signal,
    pause: () => void (paused += 1),
  })({ username: 'a', uid: '', groups: [], extra: {} }, 'b');
  const body = objectOf(fields);
  await client({ method: 'PUT', path: '/x', body });
  expect(sent).toEqual([body]);
  expect(paused).toBeGreaterThanOrEqual(least);
  expect(paused === 0).toBe(least === 0);
});
