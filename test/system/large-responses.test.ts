import { connect as connectHttp2 } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';

// Answers from 128 KiB on are compressed for who reads gzip. Source: apiserver pkg/endpoints/handlers/responsewriters/writers.go.

let server: Kadmit;
let agent: Agent;
const path = '/api/v1/namespaces/default/configmaps';

beforeAll(async () => {
  server = await startKadmit();
  agent = new Agent({ connect: { ca: server.caPem } });
  const data = { text: 'ü and more '.repeat(1000) };
  for (let made = 0; made < 20; made += 1) {
    const body = JSON.stringify({ metadata: { name: `c-${made}` }, data });
    const { statusCode } = await request(server.url + path, {
      method: 'POST',
      dispatcher: agent,
      headers: own(),
      body,
    });
    if (statusCode !== 201) throw new Error(`a create was answered ${statusCode}`);
  }
});
afterAll(async () => {
  await agent.close();
  await server.close();
});

const own = (): Record<string, string> => ({ authorization: `Bearer ${server.token}` });

async function ask(target: string, headers: Readonly<Record<string, string>>) {
  const answer = await request(server.url + target, { dispatcher: agent, headers: { ...own(), ...headers } });
  return { headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
}

const gzip = { 'accept-encoding': 'gzip' };
const zipped = { 'content-encoding': 'gzip', vary: expect.stringContaining('Accept-Encoding') };

test.each([
  ['a list', path, 'application/json'],
  ['a Table', path, 'application/json;as=Table;v=v1;g=meta.k8s.io'],
  ['YAML', path, 'application/yaml'],
  ['protobuf', path, 'application/vnd.kubernetes.protobuf'],
  ['the schemas', '/openapi/v2', 'application/json'],
  ['a document of the schemas', '/openapi/v3/apis/apps/v1', 'application/json'],
])('%s in gzip equals the uncompressed response', async (_fact, target, accept) => {
  const [plain, small] = [await ask(target, { accept }), await ask(target, { accept, ...gzip })];
  const isLarge = plain.body.length >= 128 * 1024;
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(small.headers['content-encoding']).toBe(isLarge ? 'gzip' : undefined);
  expect((isLarge ? gunzipSync(small.body) : small.body).equals(plain.body)).toBe(true);
  expect(small.headers['content-length']).toBe(String(small.body.length));
});

test('a list is large, a Table of it is not', async () => {
  expect((await ask(path, gzip)).headers).toMatchObject(zipped);
  const table = await ask(path, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io', ...gzip });
  expect(table.headers).not.toHaveProperty('content-encoding');
});

test('over HTTP/2 too', async () => {
  const session = connectHttp2(server.url, { ca: server.caPem });
  const chunks: Buffer[] = [];
  const stream = session.request({ ':path': path, ...own(), ...gzip });
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const headers = await new Promise((resolve) => stream.once('response', resolve));
  await new Promise((resolve) => stream.once('end', resolve));
  session.close();
  expect(headers).toMatchObject({ ':status': 200, ...zipped });
  expect(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString())).toMatchObject({ kind: 'ConfigMapList' });
});

test('a client with the current ETag receives no body', async () => {
  const { headers } = await ask('/openapi/v2', gzip);
  expect(headers['vary']).toBe('Accept, Accept-Encoding');
  const again = await ask('/openapi/v2', { ...gzip, 'if-none-match': String(headers['etag']) });
  expect(again.body).toHaveLength(0);
  expect(again.headers).toMatchObject({ etag: headers['etag'], 'last-modified': headers['last-modified'] });
  expect(again.headers).not.toHaveProperty('content-type');
});

// Source: apimachinery pkg/runtime/serializer/json/collections.go: such a list is encoded while it is sent.
test('a list of 101 objects is sent in parts, in gzip too', async () => {
  for (let made = 0; made < 101; made += 1) {
    const body = JSON.stringify({ metadata: { name: `many-${made}`, labels: { many: 'yes' } } });
    const options = { method: 'POST', dispatcher: agent, headers: own(), body } as const;
    const { statusCode, body: answer } = await request(server.url + path, options);
    await answer.dump();
    expect(statusCode).toBe(201);
  }
  const target = `${path}?labelSelector=many%3Dyes`;
  const [plain, small] = [await ask(target, {}), await ask(target, gzip)];
  expect(plain.headers).not.toHaveProperty('content-length');
  expect(plain.headers['content-type']).toBe('application/json');
  expect(small.headers).toMatchObject(zipped);
  expect(gunzipSync(small.body).equals(plain.body)).toBe(true);
  expect(JSON.parse(plain.body.toString())).toMatchObject({ kind: 'ConfigMapList', items: { length: 101 } });
});
