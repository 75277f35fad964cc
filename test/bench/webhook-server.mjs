// A webhook that costs as little as one can: it reads the review, allows it, and on /mutate adds a label. Says on /last what
// it was asked last.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const [certDir = '.'] = process.argv.slice(2);
const read = (name) => readFileSync(join(certDir, name), 'utf8');

const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }]));
const patching = { patchType: 'JSONPatch', patch: patch.toString('base64') };

let last = '';

async function answer(request, response) {
  if (request.url === '/last')
    return void response.writeHead(200, { 'content-length': Buffer.byteLength(last) }).end(last);
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  last = Buffer.concat(chunks).toString();
  const { apiVersion, kind, request: review } = JSON.parse(last);
  const change = request.url.startsWith('/mutate') ? patching : {};
  const body = JSON.stringify({ apiVersion, kind, response: { uid: review.uid, allowed: true, ...change } });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

const server = createServer({ cert: read('apiserver.crt'), key: read('apiserver.key'), keepAliveTimeout: 90_000 });
server.on('request', (request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.once('SIGINT', () => process.exit());
