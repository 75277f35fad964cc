// Imported into a server that runs with --expose-gc: on each message of its parent, collects garbage and reports open resources and memory.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** Open descriptors except connections to the webhooks: a pool keeps as many of those as a burst needed. */
function descriptors(webhookPort) {
  const remote = `:${webhookPort.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = readFileSync('/proc/self/net/tcp', 'latin1')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remoteAddress = '']) => remoteAddress.endsWith(remote))
    .map((columns) => `socket:[${columns[9]}]`);
  return readdirSync('/proc/self/fd').filter((fd) => !connections.includes(linkOf(fd))).length;
}

function linkOf(fd) {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

function report({ webhookPort = 0 }) {
  globalThis.gc();
  globalThis.gc();
  const timers = process.getActiveResourcesInfo().filter((type) => type === 'Timeout' || type === 'Immediate');
  const { rss, heapUsed } = process.memoryUsage();
  return { descriptors: descriptors(webhookPort), timers: timers.length, rss, heapUsed };
}

process.on('message', (message) => process.send(report(message)));
// The channel does not keep the server alive.
process.channel.unref();
