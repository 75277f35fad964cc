// Loaded into the server with --import. On request of its parent, reports how long the event loop was blocked in processor time,
// changes of the built-in prototypes, and open resources.
import { openSync, readdirSync, readSync } from 'node:fs';
import { ownKeys } from './prototypes.mjs';

const everyMs = 2;
const clock = openClock();
let last = clock();
let worst = 0;

/** Processor time of this thread in milliseconds; of all threads of the process where Linux does not report it. */
function openClock() {
  try {
    // Two numbers and more: nanoseconds on a processor, nanoseconds of waiting for one.
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`);
    const bytes = Buffer.alloc(64);
    return () => Number(bytes.latin1Slice(0, readSync(file, bytes, 0, 64, 0)).split(' ')[0]) / 1e6;
  } catch {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e3;
    };
  }
}

/** The processor time of the thread since the last call; between two iterations of the event loop it was blocked for that time. */
function look() {
  const now = clock();
  worst = Math.max(worst, now - last);
  last = now;
}

setInterval(look, everyMs).unref();

let known;

/** Properties that were added to a prototype, or removed, since the first query. */
function polluted() {
  const keys = ownKeys();
  known ??= new Set(keys);
  const added = keys.filter((key) => !known.has(key));
  return keys.length === known.size && added.length === 0 ? [] : [...added, `${known.size} keys, now ${keys.length}`];
}

function turn() {
  look();
  const answer = { worstMs: worst, polluted: polluted() };
  worst = 0;
  return answer;
}

function diagnosis() {
  globalThis.gc();
  globalThis.gc();
  const timers = process.getActiveResourcesInfo().filter((type) => type === 'Timeout' || type === 'Immediate');
  const { heapUsed, external } = process.memoryUsage();
  look();
  worst = 0;
  return { descriptors: readdirSync('/proc/self/fd').length, timers: timers.length, heapUsed, external };
}

process.on('message', ({ id, question }) => {
  process.send({ id, ...(question === 'turn' ? turn() : diagnosis()) });
});
// The server ends when the fuzzer was killed, and the channel does not keep it alive.
process.on('disconnect', () => process.exit());
process.channel?.unref();
