import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { shakeHandsInTime } from '../../src/http/shake-hands-in-time.ts';

/** A server on which each handshake takes `takes` ms of a turn, and what it has taken up. */
function server(takes: number) {
  const clock = vi.spyOn(performance, 'now');
  let now = 1000;
  clock.mockImplementation(() => now);
  const made = new EventEmitter();
  const taken: string[] = [];
  made.on('connection', ({ name }: { readonly name: string }) => {
    now += takes;
    taken.push(name);
  });
  shakeHandsInTime(made);
  return { made, taken, restore: () => clock.mockRestore() };
}

/** A connection of a client that has said this, or nothing yet. */
function arrived(made: EventEmitter, name: string, said: string) {
  const socket = Object.assign(new PassThrough(), { name });
  made.emit('connection', socket);
  if (said !== '') socket.write(said);
  return socket;
}

test('of connections that come together as many are taken up in a turn as there is time for', async () => {
  await setImmediate();
  const { made, taken, restore } = server(5);
  const names = Array.from({ length: 10 }, (_none, at) => `c${at}`);
  for (const name of names) arrived(made, name, 'hello');
  await setImmediate();
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.length).toBeLessThan(6);
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(taken).toEqual(names);
  restore();
});

test('who says nothing costs nothing, and is hung up on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { made, taken, restore } = server(1);
  const [silent, late] = [arrived(made, 'silent', ''), arrived(made, 'late', '')];
  vi.advanceTimersByTime(119_999);
  await setImmediate();
  expect([taken, silent.destroyed]).toEqual([[], false]);
  late.write('hello');
  await setImmediate();
  await setImmediate();
  vi.advanceTimersByTime(120_000);
  expect([taken, silent.destroyed, late.destroyed]).toEqual([['late'], true, false]);
  vi.useRealTimers();
  restore();
});

test('who is gone before its turn is not taken up, and nobody falls over it', async () => {
  const { made, taken, restore } = server(100);
  arrived(made, 'first', 'hello');
  const socket = arrived(made, 'second', 'hello');
  await new Promise<void>((resolve) => process.nextTick(resolve));
  socket.destroy(new Error('reset'));
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  expect(taken).toEqual(['first']);
  restore();
});
