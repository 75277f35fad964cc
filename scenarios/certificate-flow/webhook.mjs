// A mutating webhook over TLS that labels what it sees with the certificate it has, and takes a new one while it runs:
// node webhook.mjs FOLDER, in which tls.crt and tls.key lie; when tls.crt changes it reads both again.
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

// New connections get the new certificate; those that are open keep theirs until they end.
watchFile(join(folder, 'tls.crt'), { interval: 100 }, () => {
  server.setSecureContext(identity());
  console.log('new certificate');
});

server.listen(port, '127.0.0.1', () => console.log(`webhook on https://127.0.0.1:${port}`));
