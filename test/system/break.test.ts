import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWebhook } from '../harness/kadmit-process.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';

const name = 'seen.example.com';
const configMaps = '/api/v1/namespaces/default/configmaps';
const root = '/kadmit/v1/breaks';
const goOn = { action: 'continue' };

interface Answer {
  readonly code: number;
  readonly body: unknown;
}

interface AskOptions {
  readonly signal?: AbortSignal;
  /** http2: with a connection of its own. */
  readonly protocol?: 'http' | 'http2';
}

type Ask = (method: 'GET' | 'POST', path: string, body?: object, options?: AskOptions) => Promise<Answer>;

interface Bench {
  readonly server: Kadmit;
  readonly ask: Ask;
  readonly stop: () => Promise<void>;
}

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.stop());

/** A server that breaks on a webhook: a process of its own that annotates ConfigMaps and may take a second. */
async function startBench(): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), 'kadmit-break-'));
  const { process: webhook, webhook: at } = await startWebhook(directory);
  const server = await startKadmit({ breakOn: [name] });
  const agent = new Agent({ connect: { ca: server.caPem } });
  const http2 = new Agent({ connect: { ca: server.caPem }, allowH2: true });
  const ask: Ask = async (method, path, body, { signal, protocol = 'http' } = {}) => {
    const answer = await request(server.url + path, {
      method,
      dispatcher: protocol === 'http2' ? http2 : agent,
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    return { code: answer.statusCode, body: await answer.body.json() };
  };
  await ask('POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'seen' },
    webhooks: [
      {
        name,
        clientConfig: { url: `${at.url}/annotate`, caBundle: at.caBundle },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 1,
      },
    ],
  });
  const stop = async (): Promise<void> => {
    await server.close();
    await agent.close();
    await http2.close();
    await webhook.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { server, ask, stop };
}

const create = (named: string): Promise<Answer> => bench.ask('POST', configMaps, { metadata: { name: named } });

/** Asks until so many requests are held. */
async function held(count: number): Promise<readonly { readonly id: string }[]> {
  for (;;) {
    const { body } = await bench.ask('GET', root);
    const { held: list } = body as { readonly held: readonly { readonly id: string }[] };
    if (list.length === count) return list;
    await sleep(5);
  }
}

const annotations = (seen: string): object => ({ metadata: { annotations: { 'example.com/seen': seen } } });

test('a request is held for longer than its timeout, and then resumes unaffected', async () => {
  const answer = create('a');
  expect(await held(1)).toMatchObject([
    { id: '1', moment: 'before', configuration: 'seen', webhook: name, review: { request: { name: 'a' } } },
  ]);
  await sleep(1100); // Longer than timeoutSeconds.
  expect((await bench.ask('POST', `${root}/held/1`, goOn)).code).toBe(200);
  expect(await answer).toMatchObject({ code: 201, body: annotations('yes') });
  const trace = await bench.ask('GET', '/kadmit/v1/traces/last');
  expect(trace.body).toMatchObject({
    admission: expect.arrayContaining([
      expect.objectContaining({
        name,
        outcome: 'called',
        holds: [expect.objectContaining({ moment: 'before', ended: 'continued', by: 'admin' })],
      }),
    ]),
  });
});

test('the answer of the webhook can be edited', async () => {
  expect((await bench.ask('POST', root, { off: `${name}:both` })).body).toMatchObject({ breaks: [] });
  expect((await bench.ask('POST', root, { on: `seen/${name}:after` })).body).toMatchObject({
    breaks: [{ webhook: `seen/${name}`, moment: 'after', hits: 0 }],
  });
  const answer = create('a');
  const [one] = await held(1);
  expect(one).toMatchObject({ answer: { response: { allowed: true, patch: [{ path: '/metadata/annotations' }] } } });
  const patch = [{ op: 'add', path: '/metadata/annotations', value: { 'example.com/seen': 'by hand' } }];
  await bench.ask('POST', `${root}/held/1`, { action: 'answer', response: { allowed: true, patch } });
  expect(await answer).toMatchObject({ code: 201, body: annotations('by hand') });
});

test('several are held at once, and each resumes independently', async () => {
  const [first, second] = [create('a'), create('b')];
  await held(2);
  await bench.ask('POST', `${root}/held/2`, goOn);
  await held(1);
  await bench.ask('POST', `${root}/held/1`, { action: 'answer', response: { allowed: false } });
  const codes = (await Promise.all([first, second])).map(({ code }) => code);
  expect(codes.toSorted((a, b) => a - b)).toEqual([201, 400]);
});

test.each([
  ['HTTP/1.1', 'http'],
  ['HTTP/2, as kubectl', 'http2'],
] as const)('a client that goes away ends the hold, over %s', async (_protocol, protocol) => {
  const client = new AbortController();
  const answer = bench
    .ask('POST', configMaps, { metadata: { name: 'a' } }, { signal: client.signal, protocol })
    .catch(() => 'gone');
  await held(1);
  client.abort();
  expect(await answer).toBe('gone');
  await held(0);
  expect((await bench.ask('GET', `${configMaps}/a`)).code).toBe(404);
});

test('closing the server resumes held requests', async () => {
  const answer = create('a');
  await held(1);
  await bench.server.close();
  expect((await answer).code).toBe(201);
});

test.each<[string, path: string, body: object, refusal: { readonly code: number; readonly message: string }]>([
  [
    'an unknown request',
    `${root}/held/9`,
    goOn,
    { code: 404, message: 'no request "9" is held: GET /kadmit/v1/breaks lists them' },
  ],
  [
    'no break point',
    root,
    { on: 'two words' },
    {
      code: 400,
      message:
        '"two words" must be NAME[:before|:after|:both], where NAME is a webhook, or CONFIGURATION/NAME if two webhooks have the name',
    },
  ],
  [
    'neither on nor off',
    root,
    {},
    { code: 400, message: 'give {"on":"NAME[:before|:after|:both]"} or {"off":"NAME[:before|:after|:both]"}' },
  ],
  ['another path', `${root}/x`, {}, { code: 404, message: 'there is nothing to post to at /kadmit/v1/breaks/x' }],
])('%s is refused in one line', async (_what, path, body, refusal) => {
  const answer = await bench.ask('POST', path, body);
  expect(answer).toMatchObject({ code: refusal.code, body: { kind: 'Status', ...refusal } });
});

test('only users with the permission can resume a request', async () => {
  const agent = new Agent({ connect: { ca: bench.server.caPem } });
  const answer = await request(bench.server.url + root, { dispatcher: agent });
  expect(answer.statusCode).toBe(403);
  await answer.body.dump();
  await agent.close();
});

test('a --break-on without a name is refused at the start', async () => {
  await expect(startKadmit({ breakOn: ['a/b/c'] })).rejects.toThrow('--break-on "a/b/c" must be NAME[:before');
});
