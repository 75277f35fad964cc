// A converter that answers as the path says: /deep, /wide and so on, about the object it was sent.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [certDir = '.'] = process.argv.slice(2);
const read = (name) => readFileSync(join(certDir, name), 'utf8');
const size = Number(process.env['SIZE'] ?? 3 * 1024 * 1024) - 8192;

const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const fields = (count, make) => Object.fromEntries(many(count, (at) => [`f${at}`, make(at)]));
const text = (length) => 'x'.repeat(length);
const owned = (count) => `{${many(count, (at) => `"f:a${at}":{}`).join(',')}}`;

/** What becomes of an object: a text of JSON to stand for its spec, and for fields of its metadata. */
const changes = {
  kept: {},
  wide: () => ({ spec: JSON.stringify(fields(90_000, () => 'xxxxxxxxxxxxxxxxxx')) }),
  small: () => ({ spec: `{"l":[${many(48_000, (at) => `{"a":${at}}`).join(',')}]}` }),
  deep: () => ({ spec: `${'{"a":'.repeat(9_900)}1${'}'.repeat(9_900)}` }),
  deeper: () => ({ spec: `${'{"a":'.repeat(400_000)}1${'}'.repeat(400_000)}` }),
  long: () => ({ spec: JSON.stringify({ t: text(size) }) }),
  numbers: () => ({ spec: `{"l":[${many(90_000, (at) => `${at}.${at}e1`).join(',')}]}` }),
  labels: () => ({ labels: JSON.stringify(fields(90_000, () => 'a')) }),
  badLabels: () => ({ labels: JSON.stringify(fields(90_000, () => '-')) }),
  annotations: () => ({ annotations: JSON.stringify(fields(90_000, () => 'aaaaaaaaaaaaaaaaaaaaaaa')) }),
  badAnnotations: () => ({ annotations: JSON.stringify(Object.fromEntries(many(90_000, (at) => [`-${at}`, 'a']))) }),
  managed: () => ({
    managedFields: `[{"manager":"a","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":${owned(45_000)}}}]`,
  }),
  finalizers: () => ({ finalizers: JSON.stringify(many(90_000, (at) => `a.b/c${at}`)) }),
  escapes: () => ({ spec: `{"t":"${'\\u00e9'.repeat(size / 6)}"}` }),
  kindless: () => ({ kind: '""', spec: JSON.stringify(fields(90_000, () => 'xxxxxxxxxxxxxxxxxx')) }),
  kindLong: () => ({ kind: JSON.stringify(text(size)) }),
  repeated: () => ({ spec: `{${many(90_000, () => '"a":1').join(',')}}` }),
};

function converted(name, { request }) {
  const [object] = request.objects;
  const change = typeof changes[name] === 'function' ? changes[name]() : {};
  const { metadata, spec, kind } = object;
  const meta = {
    ...metadata,
    ...Object.fromEntries(
      ['labels', 'annotations', 'managedFields', 'finalizers'].filter((f) => change[f]).map((f) => [f, `<${f}>`]),
    ),
  };
  let body = JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: {
      uid: request.uid,
      result: { status: 'Success' },
      convertedObjects: [
        {
          apiVersion: request.desiredAPIVersion,
          kind: change.kind ? '<kind>' : kind,
          metadata: meta,
          spec: change.spec ? '<spec>' : (spec ?? {}),
        },
      ],
    },
  });
  for (const [field, json] of Object.entries(change)) body = body.split(`"<${field}>"`).join(json);
  return body;
}

/** Answers that are none of a converter in particular. */
const whole = {
  message: (uid) =>
    `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"${uid}","result":{"status":"Failed","message":"${text(size)}"}}}`,
  manyObjects: (uid) =>
    `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"${uid}","result":{"status":"Success"},"convertedObjects":[${many(45_000, () => '{}').join(',')}]}}`,
  yaml: () => many(60_000, (at) => `a${at}: b`).join('\n'),
  notJson: () => text(size),
  arrays: () => '['.repeat(size),
};

/** Made once: it takes seconds. */
let bomb;

const serve = {
  bomb: (response) => {
    bomb ??= gzipSync(Buffer.alloc(300 * 1024 * 1024, 0x20));
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  },
  error: (response) => response.writeHead(500, { 'content-type': 'text/plain' }).end(text(size)),
  errorStatus: (response) =>
    response.writeHead(500, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        message: 'a',
        details: { causes: many(30_000, () => ({ message: 'm', field: 'f' })) },
      }),
    ),
};

async function answer(request, response) {
  response.on('error', () => undefined);
  const name = request.url.slice(1).split('?')[0];
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const sent = Buffer.concat(chunks).toString();
  if (serve[name]) return void serve[name](response);
  const review = JSON.parse(sent);
  const body = whole[name] ? whole[name](review.request?.uid) : converted(name, review);
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

const server = createServer({ cert: read('apiserver.crt'), key: read('apiserver.key'), keepAliveTimeout: 90_000 });
server.on('request', (request, response) => void answer(request, response).catch(() => response.destroy()));
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.once('SIGINT', () => process.exit());
