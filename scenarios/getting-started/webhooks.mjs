// Two admission webhooks in plain Node: /mutate adds an annotation to every Pod, /validate denies privileged containers.
// They use plain HTTP, which kadmit's --map allows. The scenario own-ca-webhook uses TLS.
import { createServer } from 'node:http';

const paths = { '/mutate': annotate, '/validate': refusePrivileged };

/** A JSON patch that adds an annotation. If the Pod has no annotations, the patch adds the map first. */
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
