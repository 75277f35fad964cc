import { expect, test } from 'vitest';
import { asString } from '../../../src/machinery/json/json.ts';
import type { WatchEvent } from '../../../src/apiserver/request/api-request.ts';
import { createDelivery } from '../../../src/apiserver/request/stages/watch-objects.ts';

const event = (type: WatchEvent['type'], name: string): WatchEvent => ({ type, object: { name } });
const soon = async (value: WatchEvent | undefined, turns = 3): Promise<WatchEvent | undefined> => {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  return value;
};

interface Watcher {
  readonly seen: string[];
  readonly deliver: ReturnType<typeof createDelivery>['deliver'];
}

function watcher(): Watcher {
  const seen: string[] = [];
  const { deliver } = createDelivery(
    ({ object }) => seen.push(asString(object['name'])),
    () => seen.push('end'),
  );
  return { seen, deliver };
}

const drained = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('events are sent in order', async () => {
  const { seen, deliver } = watcher();
  deliver(async () => event('ADDED', 'a'));
  deliver(async () => undefined);
  deliver(async () => event('ADDED', 'b'));
  await drained();
  expect(seen).toEqual(['a', 'b']);
});

test('nothing overtakes what is waited for', async () => {
  const { seen, deliver } = watcher();
  deliver(() => soon(event('ADDED', 'a'), 9));
  deliver(() => soon(event('ADDED', 'b'), 1));
  deliver(async () => event('ADDED', 'c'));
  expect(seen).toEqual([]);
  await drained();
  deliver(async () => event('ADDED', 'd'));
  await drained();
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
});

test('an error is the last event', async () => {
  const { seen, deliver } = watcher();
  deliver(() => soon(event('ERROR', 'broken')));
  deliver(async () => event('ADDED', 'a'));
  await drained();
  deliver(async () => event('ADDED', 'b'));
  expect(seen).toEqual(['broken', 'end']);
});

test('a watcher too far behind is let go', async () => {
  const { seen, deliver } = watcher();
  for (let at = 0; at <= 10_000; at += 1) deliver(() => soon(event('ADDED', 'x')));
  expect(seen).toEqual(['end']);
  await drained();
  expect(seen).toEqual(['end']);
});

test('10,000 events may be waited for, again and again', async () => {
  const { seen, deliver } = watcher();
  for (let round = 0; round < 2; round += 1) {
    for (let at = 0; at < 10_000; at += 1) deliver(() => soon(event('ADDED', 'x')));
    await drained();
  }
  expect(seen).toEqual(Array.from({ length: 20_000 }, () => 'x'));
  for (let at = 0; at <= 10_000; at += 1) deliver(() => soon(event('ADDED', 'y')));
  expect(seen.at(-1)).toBe('end');
});

test('of very many others are let in between, and what comes meanwhile follows them all', async () => {
  const seen: string[] = [];
  const { deliver, deliverEach } = createDelivery(
    ({ object }) => seen.push(asString(object['name'])),
    () => seen.push('end'),
  );
  const names = Array.from({ length: 10 }, (_, at) => `n${at}`);
  deliverEach(names, (name) => soon(event('ADDED', name), name === 'n4' ? 3 : 0), drained);
  deliver(async () => event('MODIFIED', 'then'));
  for (let turn = 0; turn < 30; turn += 1) await drained();
  expect(seen).toEqual([...names, 'then']);
});

test('nothing more is made for a watcher that had an error', async () => {
  const made: string[] = [];
  const { deliverEach } = createDelivery(
    () => {},
    () => {},
  );
  const make = async (name: string): Promise<WatchEvent> => {
    made.push(name);
    return event(name === 'b' ? 'ERROR' : 'ADDED', name);
  };
  deliverEach(['a', 'b', 'c'], make, () => drained());
  for (let turn = 0; turn < 5; turn += 1) await drained();
  expect(made).toEqual(['a', 'b']);
});
