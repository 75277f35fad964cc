// A webhook that costs as little as one can: it reads the review, allows it, and on /mutate adds a label.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const [certDir = '.'] = process.argv.slice(2);
const read = (name) => readFileSync(join(certDir, name), 'utf8');

const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }]));
const patching = { patchType: 'JSONPatch', patch: patch.toString('base64') };

async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { apiVersion, kind, request: review } = JSON.parse(Buffer.concat(chunks).toString());
  const change = request.url.startsWith('/mutate') ? patching : {};
  const body = JSON.stringify({ apiVersion, kind, response: { uid: review.uid, allowed: true, ...change } });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

const server = createServer({ cert: read('apiserver.crt'), key: read('apiserver.key'), keepAliveTimeout: 90_000 });
server.on('request', (request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.once('SIGINT', () => process.exit());
