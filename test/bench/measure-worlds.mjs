import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { median } from './table.mjs';

const worlds = 500;

/** Worlds without sockets, as scenarios and tests in the same process use them. */
export async function measureWorlds() {
  const { createWorld } = await import(pathToFileURL(resolve('dist/library.js')).href);
  const first = await timed(() => useOnce(createWorld));
  const timeouts = await timeoutsOf(createWorld);
  const heap = [];
  const opened = [];
  const all = await timed(async () => {
    for (let turn = 0; turn < worlds; turn += 1) {
      opened.push(await useOnce(createWorld));
      if (turn === 99 || turn === worlds - 1) heap.push(heapNow());
    }
  });
  const open = median(opened);
  return [
    { what: 'first world, its cluster made, one write', figure: `${first.toFixed(0)} ms` },
    { what: 'one more world', figure: `${open.toFixed(2)} ms`, goal: '< 5 ms', met: open < 5 },
    {
      what: `${worlds} worlds with one write each`,
      figure: `${(all / 1000).toFixed(2)} s`,
      goal: '< 5 s',
      met: all < 5000,
    },
    {
      what: 'heap after 500 worlds, of that after 100',
      figure: `${(heap[1] / heap[0]).toFixed(2)} x`,
      goal: '< 1.2 x',
      met: heap[1] < 1.2 * heap[0],
    },
    {
      what: 'a write that waits 34 s for five webhooks',
      figure: `${timeouts.toFixed(1)} ms`,
      goal: '< 50 ms',
      met: timeouts < 50,
    },
  ];
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

/** Opens a world, writes to it and closes it; says how many milliseconds the opening took. */
async function useOnce(createWorld) {
  let world;
  const milliseconds = await timed(async () => {
    world = await createWorld();
  });
  await world.client.create(configMap);
  await world.close();
  return milliseconds;
}

/** Fail-open webhooks that hang for 61 s together; the request has 34. */
async function timeoutsOf(createWorld) {
  const figures = [];
  for (let run = 0; run < 5; run += 1) {
    const world = await createWorld();
    for (const [index, timeoutSeconds] of [1, 10, 10, 10, 30].entries()) {
      const rules = [{ operations: ['CREATE'], resources: ['configmaps'] }];
      const options = {
        type: 'mutating',
        rules,
        timeoutSeconds,
        failurePolicy: 'Ignore',
        faults: [{ what: { type: 'hang' } }],
      };
      await world.webhook(`w${index}.example.com`, options, () => undefined);
    }
    figures.push(await timed(() => world.client.create(configMap).catch(() => {})));
    if (world.now() - Date.UTC(2026, 0, 1) !== 34_000) throw new Error('the write did not wait for 34 s');
    await world.close();
  }
  return median(figures);
}

async function timed(act) {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

function heapNow() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
