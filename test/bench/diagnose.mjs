// Loaded into the server with --import: tells its parent what is open and how much memory is in use.
import { readdirSync } from 'node:fs';

function report() {
  globalThis.gc();
  globalThis.gc();
  const timers = process.getActiveResourcesInfo().filter((type) => type === 'Timeout' || type === 'Immediate');
  const { rss, heapUsed } = process.memoryUsage();
  return { descriptors: readdirSync('/proc/self/fd').length, timers: timers.length, rss, heapUsed };
}

process.on('message', () => process.send(report()));
// The parent does not keep the server alive.
process.channel.unref();
