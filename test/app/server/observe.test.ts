import { expect, test } from 'vitest';
import { combineWatchers } from '../../../src/app/server/observe.ts';
import { createTestWorld } from '../../harness/world.ts';

const world = await createTestWorld();
await world.send('GET', '/api/v1/namespaces');
const [finished] = world.finished;

test('an answer waits for every watcher that returns a promise', async () => {
  if (!finished) throw new Error('nothing was finished');
  const ends: (() => void)[] = [];
  const slow = { finished: () => new Promise<void>((end) => ends.push(end)) };
  const quick = { finished: () => undefined };
  let isOver = false;
  const notified = Promise.resolve(combineWatchers([slow, quick, slow]).finished(finished)).then(() => (isOver = true));
  const [first, second] = ends;
  for (const [end, over] of [
    [first, false],
    [second, true],
  ] as const) {
    end?.();
    await new Promise(setImmediate);
    expect(isOver).toBe(over);
  }
  await notified;
});
