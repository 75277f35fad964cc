// A mutating webhook with TLS. It adds a label to each object, and reloads its certificate while it runs.
// Usage: node webhook.mjs FOLDER. The folder has tls.crt and tls.key. When tls.crt changes, the webhook reads both again.
import { readFileSync, watchFile } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const port = 8400;

const identity = () => ({ cert: readFileSync(join(folder, 'tls.crt')), key: readFileSync(join(folder, 'tls.key')) });

const server = createServer(identity(), async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { apiVersion, kind, request: admission } = JSON.parse(Buffer.concat(chunks).toString());
  const patch = [{ op: 'add', path: '/metadata/labels', value: { certified: 'yes' } }];
  const answer = { uid: admission.uid, allowed: true, patchType: 'JSONPatch', patch: btoa(JSON.stringify(patch)) };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ apiVersion, kind, response: answer }));
});

// New connections use the new certificate. Open connections keep the old one.
watchFile(join(folder, 'tls.crt'), { interval: 100 }, () => {
  server.setSecureContext(identity());
  console.log('new certificate');
});

server.listen(port, '127.0.0.1', () => console.log(`webhook on https://127.0.0.1:${port}`));
