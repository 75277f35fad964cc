// Imported into a server that is measured: tells its parent, when it sends something, how many bytes of the heap are in use once what
// nobody needs is gone. Resident memory depends on when V8 has last looked for that.
import { Session } from 'node:inspector';

process.on('message', () => {
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => {
    session.disconnect();
    process.send(process.memoryUsage().heapUsed);
  });
});
process.channel?.unref();
