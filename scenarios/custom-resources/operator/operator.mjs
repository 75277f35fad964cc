// The webhooks of an operator in plain Node: /convert converts between the two versions of a Backup, /default sets `keep`.
import { createServer } from 'node:http';
import convert from '../broken-converter/convert.mjs';

const paths = {
  '/convert': (review) => ({ result: { status: 'Success' }, convertedObjects: convert(review) }),
  // The rule names v1: the API server converts v1beta1 objects to v1, and the result back.
  '/default': ({ request }) => ({ allowed: true, ...(request.object.spec.keep ? {} : patchOf({ keep: 7, keepLast: true })) }),
};

function patchOf(fields) {
  const patch = Object.entries(fields).map(([name, value]) => ({ op: 'add', path: `/spec/${name}`, value }));
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = paths[request.url?.split('?')[0]];
  if (request.method !== 'POST' || !answer) {
    response.writeHead(404).end();
    return;
  }
  const review = JSON.parse(Buffer.concat(chunks).toString());
  console.log(`${request.url?.split('?')[0]} ${review.kind}`);
  const { apiVersion, kind, request: admission } = review;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ apiVersion, kind, response: { uid: admission.uid, ...answer(review) } }));
});

const address = process.env.LISTEN_ADDRESS ?? '127.0.0.1';
server.listen(8400, address, () => console.log(`the operator's webhooks on http://${address}:8400`));
