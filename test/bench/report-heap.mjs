// Imported into a measured server: on each message of its parent, collects garbage and reports the bytes of the heap in use.
// Resident memory depends on when V8 last collected garbage.
import { Session } from 'node:inspector';

/** Stays connected: disconnecting in a callback of its own would deadlock. */
const session = new Session();

process.once('message', () => session.connect());
process.on('message', () => {
  session.post('HeapProfiler.collectGarbage', () => process.send(process.memoryUsage().heapUsed));
});
process.channel?.unref();
