// Preloaded into a server (--import): tells its parent, over IPC, the most processor time that the main thread has spent
// in one turn of its event loop since it was asked last. Waiting for a processor does not count. Linux only.
import { readFileSync } from 'node:fs';

const spent = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;

let last = spent();
let worst = 0;

const look = () => {
  const now = spent();
  worst = Math.max(worst, now - last);
  last = now;
};

setInterval(look, 1).unref();

process.on('message', (message) => {
  if (message !== 'worst turn') return;
  look();
  process.send({ worst });
  worst = 0;
});
process.channel?.unref();
