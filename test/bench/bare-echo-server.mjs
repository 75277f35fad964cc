// What Node alone can do here when it does nothing: TLS and HTTP/1.1, the body back as it came.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const [certDir = '.'] = process.argv.slice(2);
const read = (name) => readFileSync(join(certDir, name), 'utf8');

const server = createServer({
  cert: read('apiserver.crt'),
  key: read('apiserver.key'),
  ca: [read('ca.crt')],
  requestCert: true,
  rejectUnauthorized: false,
  keepAliveTimeout: 90_000,
});
server.on('request', (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    response
      .writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.once('SIGINT', () => process.exit());
