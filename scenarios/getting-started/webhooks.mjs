// Two admission webhooks on plain Node: /mutate annotates every Pod, /validate refuses privileged containers.
// Plain http, because kadmit's --map says where they listen; `own-ca-webhook` beside this folder does it with TLS.
import { createServer } from 'node:http';

const paths = { '/mutate': annotate, '/validate': refusePrivileged };

/** A JSON patch that adds an annotation. A Pod without annotations has no map to add it to, so that is made first. */
function annotate(pod) {
  const patch = [{ op: 'add', path: '/metadata/annotations/example.com~1greeting', value: 'hello' }];
  if (!pod.metadata.annotations) patch.unshift({ op: 'add', path: '/metadata/annotations', value: {} });
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

function refusePrivileged(pod) {
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const privileged = containers.filter((container) => container.securityContext?.privileged);
  if (privileged.length === 0) return { allowed: true };
  const names = privileged.map((container) => container.name).join(', ');
  const message = `privileged containers are not allowed: ${names}`;
  return { allowed: false, status: { code: 403, reason: 'Forbidden', message } };
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = paths[request.url?.split('?')[0]];
  if (request.method !== 'POST' || !answer) {
    response.writeHead(404).end();
    return;
  }
  const { apiVersion, kind, request: admission } = JSON.parse(Buffer.concat(chunks).toString());
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ apiVersion, kind, response: { uid: admission.uid, ...answer(admission.object) } }));
});

const address = process.env.LISTEN_ADDRESS ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 8400);
server.listen(port, address, () => console.log(`webhooks on http://${address}:${port}`));
