// Loaded into the server with --import. Tells its parent, when asked, how long the loop was held up in processor time,
// what was added to the built-in prototypes, and what is open.
import { openSync, readdirSync, readSync } from 'node:fs';
import { ownKeys } from './prototypes.mjs';

const everyMs = 2;
const clock = openClock();
let last = clock();
let worst = 0;

/** Milliseconds for which this thread has had a processor; where Linux does not say, all threads of the process. */
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

/** What the thread has worked since the last look; between two turns of the loop that is what held it up. */
function look() {
  const now = clock();
  worst = Math.max(worst, now - last);
  last = now;
}

setInterval(look, everyMs).unref();

let known;

/** What has been added to a prototype, or taken away, since the first question. */
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
// A fuzzer that was killed leaves no server behind; one that lives does not keep it alive.
process.on('disconnect', () => process.exit());
process.channel?.unref();
