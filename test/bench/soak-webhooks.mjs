// Ten webhooks on one port: seven that work, one that fails, one that never responds, one that closes the connection.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const [certDir = '.'] = process.argv.slice(2);
const read = (name) => readFileSync(join(certDir, name), 'utf8');

async function allow(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { apiVersion, kind, request: review } = JSON.parse(Buffer.concat(chunks).toString());
  const [, act, name] = request.url.split(/[/?]/);
  const patch = JSON.stringify([{ op: 'add', path: `/data/${name}`, value: review.name }]);
  const change = act === 'mutate' ? { patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') } : {};
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion, kind, response: { uid: review.uid, allowed: true, ...change } }));
}

const server = createServer({ cert: read('apiserver.crt'), key: read('apiserver.key'), keepAliveTimeout: 90_000 });
server.on('request', (request, response) => {
  if (request.url.startsWith('/fail')) response.writeHead(500).end('out of order');
  else if (request.url.startsWith('/reset')) request.socket.destroy();
  else if (!request.url.startsWith('/hang')) void allow(request, response);
});
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.once('SIGINT', () => process.exit());
