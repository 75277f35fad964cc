// Opens watches of ConfigMaps and prints how long each change took from the moment its writer sent it, on the clock that
// all processes share. Searches bytes only: parsing the JSON would be measured too.
import { connect } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

const { server, watchers, seconds } = JSON.parse(process.argv[2] ?? '{}');
const { port, ca, cert, key } = server;
const mark = Buffer.from('"sentAt":"');
const digits = 16;
const times = [];

function watch() {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca, cert, key, ALPNProtocols: ['http/1.1'] });
    let rest = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('end', () => {
      throw new Error('the server ended a watch');
    });
    socket.on('data', (chunk) => {
      resolve(socket);
      rest = readTimes(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]));
    });
    socket.write('GET /api/v1/namespaces/default/configmaps?watch=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  });
}

/** Returns the end of the bytes that may begin a mark. */
function readTimes(bytes) {
  const now = Number(process.hrtime.bigint() / 1000n);
  let from = 0;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, from)) {
    const end = at + mark.length + digits;
    if (end > bytes.length) return bytes.subarray(at);
    times.push((now - Number(bytes.latin1Slice(at + mark.length, end))) / 1000);
    from = end;
  }
  return bytes.subarray(Math.max(from, bytes.length - mark.length));
}

const sockets = await Promise.all(Array.from({ length: watchers }, watch));
// The existing objects arrive first.
await sleep(500);
times.length = 0;
await sleep(seconds * 1000);
for (const socket of sockets) socket.destroy();
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor((times.length - 1) * share)];
console.log(JSON.stringify({ perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }));
