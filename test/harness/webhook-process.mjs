// A webhook as people run one: its own process, HTTPS, nothing of kadmit in it.
// node webhook-process.mjs CERTIFICATE KEY    prints the port it listens on.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [certificate, key] = process.argv.slice(2);

const verdicts = {
  '/annotate': () => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(
      JSON.stringify([{ op: 'add', path: '/metadata/annotations', value: { 'example.com/seen': 'yes' } }]),
    ).toString('base64'),
  }),
  '/judge': ({ object }) =>
    object?.metadata?.labels?.bad
      ? { allowed: false, status: { code: 403, message: 'bad things are not allowed here' } }
      : { allowed: true, warnings: ['this is being watched'] },
};

async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const review = JSON.parse(Buffer.concat(chunks).toString());
  const verdict = verdicts[request.url.split('?')[0]](review.request);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      apiVersion: review.apiVersion,
      kind: review.kind,
      response: { uid: review.request.uid, ...verdict },
    }),
  );
}

const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => {
  void answer(request, response);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
