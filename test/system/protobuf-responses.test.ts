import { afterAll, beforeAll, expect, test } from 'vitest';
import { Agent, request } from 'undici';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { defaultRelease } from '../../src/api/release/load-release.ts';

const { decode, encode } = await defaultRelease.loadProtobuf();
const protobuf = 'application/vnd.kubernetes.protobuf';

let server: Kadmit;
let agent: Agent;
beforeAll(async () => {
  server = await startKadmit();
  agent = new Agent({ connect: { ca: server.caPem } });
});
afterAll(async () => {
  await agent.destroy();
  await server.close();
});

interface Answer {
  readonly code: number;
  readonly contentType: unknown;
  readonly body: Buffer;
}

async function ask(path: string, accept: string, method: 'GET' | 'POST' = 'GET', body?: Uint8Array): Promise<Answer> {
  const answer = await request(server.url + path, {
    method,
    dispatcher: agent,
    headers: { authorization: `Bearer ${server.token}`, accept, 'content-type': protobuf },
    ...(body === undefined ? {} : { body }),
  });
  const { statusCode: code, headers } = answer;
  return { code, contentType: headers['content-type'], body: Buffer.from(await answer.body.arrayBuffer()) };
}

const collections = defaultRelease
  .createCatalogue()
  .all()
  .filter(({ subresource, verbs }) => subresource === '' && verbs.includes('list'))
  .map(({ group, version, resource }) => `/${group === '' ? 'api' : `apis/${group}`}/${version}/${resource}`);

// What a fresh server holds; every kind can be listed and watched by a client that reads nothing but protobuf.
test.each(collections)('%s in protobuf equals its JSON', async (path) => {
  const [asProtobuf, asJson] = [await ask(path, protobuf), await ask(path, 'application/json')];
  expect(asProtobuf).toMatchObject({ code: 200, contentType: protobuf });
  const list: { readonly kind: string; readonly items: readonly unknown[] } = JSON.parse(asJson.body.toString());
  const { items = [], ...rest } = Object(decoded(asProtobuf.body));
  expect({ ...rest, items: items ?? [] }).toEqual(list);
});

function decoded(body: Uint8Array): unknown {
  const reading = decode(body);
  if (reading.outcome === 'undecodable') throw new Error(reading.error);
  return reading.object;
}

/** Length, field 1 with the type, field 2 with the bytes of the object in its field 1. */
function eventsIn(frames: Buffer): readonly (readonly [type: string, object: unknown])[] {
  const events: (readonly [string, unknown])[] = [];
  for (let at = 0; at < frames.length; at += 4 + frames.readUInt32BE(at)) {
    const frame = frames.subarray(at + 4, at + 4 + frames.readUInt32BE(at));
    const type = frame.subarray(2, 2 + (frame[1] ?? 0)).toString();
    events.push([type, decoded(frame.subarray(frame.indexOf('k8s\0')))]);
  }
  return events;
}

test('a watch sends framed messages', async () => {
  const answer = await ask('/api/v1/namespaces?watch=true&timeoutSeconds=1', `${protobuf};stream=watch`);
  expect(answer).toMatchObject({ code: 200, contentType: `${protobuf};stream=watch` });
  const namespace = (name: string): unknown =>
    expect.objectContaining({ kind: 'Namespace', apiVersion: 'v1', metadata: expect.objectContaining({ name }) });
  expect(eventsIn(answer.body)).toEqual(
    ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) => ['ADDED', namespace(name)]),
  );
});

test('a watch of metadata sends metadata', async () => {
  const accept = `${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
  const answer = await ask('/api/v1/namespaces?watch=true&timeoutSeconds=1', accept);
  expect(eventsIn(answer.body)[0]).toEqual([
    'ADDED',
    {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: expect.objectContaining({ name: 'default' }),
    },
  ]);
});

const configMap = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'v' } };
const path = '/api/v1/namespaces/default/configmaps';

test('a create goes in and comes back', async () => {
  const answer = await ask(path, protobuf, 'POST', encode(configMap));
  expect(answer).toMatchObject({ code: 201, contentType: protobuf });
  expect(decoded(answer.body)).toMatchObject(configMap);
});

test('errors are Status messages', async () => {
  const answer = await ask(`${path}/nosuch`, protobuf);
  expect(answer).toMatchObject({ code: 404, contentType: protobuf });
  expect(decoded(answer.body)).toMatchObject({
    kind: 'Status',
    message: 'configmaps "nosuch" not found',
    details: { name: 'nosuch', kind: 'configmaps' },
  });
});

test('there is no Table in protobuf', async () => {
  const answer = await ask(path, `${protobuf};as=Table;g=meta.k8s.io;v=v1`);
  expect(answer).toMatchObject({ code: 406, contentType: 'application/json' });
});
