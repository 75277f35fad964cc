// Imported into a server that is measured: tells its parent, when it sends something, how many bytes of the heap are in use once what
// nobody needs is gone. Resident memory depends on when V8 has last looked for that.
import { Session } from 'node:inspector';

/** It stays: who leaves it in an answer of its own waits for itself. */
const session = new Session();

process.once('message', () => session.connect());
process.on('message', () => {
  session.post('HeapProfiler.collectGarbage', () => process.send(process.memoryUsage().heapUsed));
});
process.channel?.unref();
