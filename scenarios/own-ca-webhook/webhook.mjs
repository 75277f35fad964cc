// A mutating webhook with TLS: POST https://127.0.0.1:8080/mutate adds an annotation to every Pod.
// Usage: node webhook.mjs CERTIFICATE KEY
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [certificate, key] = process.argv.slice(2);

const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.method !== 'POST' || request.url?.split('?')[0] !== '/mutate') {
    response.writeHead(404).end();
    return;
  }
  const { apiVersion, kind, request: admission } = JSON.parse(Buffer.concat(chunks).toString());
  const annotations = { ...admission.object.metadata.annotations, 'example.com/mutated-by': 'my-webhook' };
  const patch = [{ op: 'add', path: '/metadata/annotations', value: annotations }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      apiVersion,
      kind,
      response: {
        uid: admission.uid,
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
      },
    }),
  );
});

server.listen(8080, '127.0.0.1', () => console.log('webhook on https://127.0.0.1:8080/mutate'));
