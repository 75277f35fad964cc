import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { asList, asObject, type JsonObject } from '../../src/machinery/json/json.ts';
import { type PageWorld, pod, pods, secretText, startPageWorld } from '../harness/page-world.ts';

// POST /kadmit/v1/orders of the page, over its own door.
let world: PageWorld;
let silent: Server;
const sockets = new Set<Socket>();
const secrets = '/api/v1/namespaces/shop/secrets';
const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';

beforeAll(async () => {
  world = await startPageWorld();
  silent = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  await world.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

interface Answered {
  readonly code: number;
  readonly text: string;
}

async function orders(body: JsonObject, signal?: AbortSignal): Promise<Answered> {
  const { origin, searchParams } = new URL(world.server.uiUrl);
  const answer = await request(`${origin}/kadmit/v1/orders?token=${searchParams.get('token') ?? ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  return { code: answer.statusCode, text: await answer.body.text() };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('values of a Secret are masked in each result, also those of webhooks, unless they are revealed', async () => {
  const { id } = await world.send('POST', secrets, { metadata: { name: 'two' }, stringData: { password: secretText } });
  const masked = await orders({ id, reveal: false });
  expect(masked.code).toBe(200);
  for (const text of [secretText, base64(secretText), base64(`${secretText}-too`)])
    expect(masked.text).not.toContain(text);
  const [result] = asList(asObject(JSON.parse(masked.text) as JsonObject)['results']).map(asObject);
  expect(Object.keys(asObject(asObject(result?.['object'])['data']))).toEqual(['extra', 'password']);
  const shown = await orders({ id, reveal: true });
  expect(shown.text).toContain(base64(secretText));
  expect(shown.text).toContain(base64(`${secretText}-too`));
});

test('it ends when the page is closed, without waiting for webhooks that hang', async () => {
  const { id } = await world.send('POST', pods, pod('slow'));
  const { id: removed } = await world.send('DELETE', `${pods}/slow`);
  const { port } = silent.address() as AddressInfo; // It listens on an address.
  const hook = (name: string): object => ({
    name,
    clientConfig: { url: `https://127.0.0.1:${port}/` },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    sideEffects: 'None',
    failurePolicy: 'Ignore',
    timeoutSeconds: 30,
    admissionReviewVersions: ['v1'],
  });
  await world.send('POST', configurations, {
    metadata: { name: 'slow' },
    webhooks: ['a.example.com', 'b.example.com'].map(hook),
  });
  const leaving = new AbortController();
  const trying = orders({ id, reveal: false }, leaving.signal).catch((error: unknown) => error);
  await vi.waitUntil(() => sockets.size > 0, { timeout: 10_000 });
  expect(await orders({ id: removed, reveal: false })).toMatchObject({ code: 429 });
  leaving.abort();
  expect(await trying).toBeInstanceOf(Error);
  await vi.waitUntil(async () => (await orders({ id: removed, reveal: false })).code === 400, { timeout: 5000 });
});
