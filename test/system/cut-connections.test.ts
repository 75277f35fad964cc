import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import https from 'node:https';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type CutClient,
  cutHandshake,
  cutHttp1Client,
  cutHttp2Client,
  type CutServer,
  cutWatch,
  type Write,
} from '../harness/cut-client.ts';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { startStubWebhooks, type StubWebhooks } from '../harness/stub-webhooks.ts';
import { type Answer, type Call, callHttp1 } from '../adapters/http/https-client.ts';

// Clients go away at any moment. Whatever was acknowledged has happened once, and nothing of them stays behind.

let server: Kadmit;
let webhooks: StubWebhooks;
let target: CutServer;
const errors: string[] = [];

const call = ({ headers, ...more }: Call): Promise<Answer> =>
  callHttp1(target, { ...more, headers: { authorization: `Bearer ${target.token}`, ...headers } });

const collection = '/api/v1/namespaces/default/configmaps';

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => errors.push(String(line)) > 0);
  [server, webhooks] = await Promise.all([startKadmit(), startStubWebhooks()]);
  subscribe('net.server.socket', count);
  target = { port: server.port, ca: server.caPem, token: server.token };
  webhooks.answerWith({ '/slow': { delayMs: 2 } });
  const { status } = await call({
    method: 'POST',
    path: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    body: JSON.stringify(slowWebhook(webhooks)),
  });
  if (status !== 201) throw new Error(`the webhook was refused: ${status}`);
});
afterAll(async () => {
  vi.restoreAllMocks();
  unsubscribe('net.server.socket', count);
  await Promise.all([server.close(), webhooks.close()]);
});

/** Asked about every second client's writes, so that some are cut in the middle of admission. */
const slowWebhook = ({ ports, caBundle }: StubWebhooks): object => ({
  metadata: { name: 'slow' },
  webhooks: [
    {
      name: 'slow.example.com',
      clientConfig: { url: `https://127.0.0.1:${ports.get(18443)}/slow`, caBundle },
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      objectSelector: { matchLabels: { slow: 'yes' } },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    },
  ],
});

/** What a write leaves in the watch when it happens. */
interface Step extends Write {
  readonly trace: string;
}

/** Creates, updates and deletes of one client, each with a mark of its own. */
function stepOf(client: string, turn: number): Step {
  const name = `${client}-${Math.floor(turn / 4)}`;
  const mark = `${client}-${turn}`;
  const labels = { mark, ...(turn % 8 < 4 ? { slow: 'yes' } : {}) };
  const body = JSON.stringify({ metadata: { name, labels }, data: { filler: 'x'.repeat(200) } });
  if (turn % 4 === 0) return { method: 'POST', path: collection, body, trace: `ADDED ${mark}` };
  const path = `${collection}/${name}`;
  if (turn % 4 === 3) return { method: 'DELETE', path, body: '{}', trace: `DELETED ${name}` };
  return { method: 'PATCH', path, body, trace: `MODIFIED ${mark}` };
}

const turns = 48;
const clients = 6;

/** Plays the steps of a client; returns the traces of those that were acknowledged. */
async function play(client: CutClient, name: string): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const step = stepOf(name, turn);
    const code = await client.send(step);
    if (code === 200 || code === 201) acknowledged.push(step.trace);
  }
  client.close();
  return acknowledged;
}

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly labels?: { readonly mark?: string } };
}

interface Event {
  readonly type: string;
  readonly object: ConfigMap;
}

/** Everything that happens to ConfigMaps from now on. */
async function observe(): Promise<{ readonly events: readonly Event[]; readonly stop: () => void }> {
  const events: Event[] = [];
  const headers = { authorization: `Bearer ${target.token}` };
  const path = `${collection}?watch=true`;
  return new Promise((resolve) => {
    const request = https.get({ host: '127.0.0.1', ...target, path, headers, agent: false }, (response) => {
      let text = '';
      response.on('error', () => {});
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (text + chunk).split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) events.push(JSON.parse(line));
      });
      resolve({ events, stop: () => request.destroy() });
    });
    request.on('error', () => {});
  });
}

const traceOf = ({ type, object: { metadata } }: Event): string =>
  `${type} ${type === 'DELETED' ? metadata.name : (metadata.labels?.mark ?? '')}`;

/** The marks of what is left when all events have happened. */
function replay(events: readonly Event[]): readonly string[] {
  const left = new Map<string, string>();
  for (const { type, object } of events) {
    if (type === 'DELETED') left.delete(object.metadata.name);
    else left.set(object.metadata.name, object.metadata.labels?.mark ?? '');
  }
  return [...left.values()].toSorted();
}

async function listed(): Promise<readonly string[]> {
  const { body } = await call({ path: collection });
  const { items }: { readonly items: readonly ConfigMap[] } = JSON.parse(JSON.stringify(body));
  return items.map(({ metadata }) => metadata.labels?.mark ?? '').toSorted();
}

/** The connections that the server has open. */
const open = new Set<Socket>();
const count = (message: unknown): void => {
  const { socket }: { readonly socket?: unknown } = Object(message);
  if (!(socket instanceof Socket) || socket.localPort !== server.port) return;
  open.add(socket);
  socket.once('close', () => open.delete(socket));
};

const protocols = [
  ['HTTP/1.1', cutHttp1Client],
  ['HTTP/2', cutHttp2Client],
] as const;

describe.each(protocols)('%s', (protocol, createClient) => {
  const prefix = protocol === 'HTTP/2' ? 'two' : 'one';

  test.each([1, 2, 3])('every acknowledged write happened once (seed %i)', async (seed) => {
    const random = createSeededRandom(seed);
    const observed = await observe();
    const playing = Array.from({ length: clients }, (_, index) =>
      play(createClient(target, random), `${prefix}-${seed}-${index}`),
    );
    const noise = Array.from({ length: 40 }, async (_, index) => {
      if (index % 2 === 0) return cutHandshake(target, random);
      return cutWatch(target, `${collection}?watch=true`, random);
    });
    const acknowledged = (await Promise.all(playing)).flat();
    await Promise.all(noise);

    // A last write whose event comes after all others.
    const end = `${prefix}-${seed}-end`;
    await vi.waitFor(async () => {
      const body = JSON.stringify({ metadata: { name: end, labels: { mark: end } } });
      expect(await call({ method: 'POST', path: collection, body })).toMatchObject({ status: 201 });
    });
    await vi.waitFor(() => expect(observed.events.map(traceOf)).toContain(`ADDED ${end}`));

    const traces = observed.events.map(traceOf);
    const happened = new Set(traces);
    expect(open.size).toBeGreaterThan(0); // The observer's, so they are really counted.
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(acknowledged.length).toBeLessThan(clients * turns - 20);
    expect(acknowledged.filter((trace) => !happened.has(trace))).toEqual([]);
    expect(traces).toHaveLength(happened.size);
    expect(await listed()).toEqual(replay(observed.events));
    observed.stop();
    await vi.waitFor(() => expect(open.size).toBe(0), 5000);
  });
});

test('the log does not mention it', () => {
  expect(errors).toEqual([]);
});

test('closing waits for none of them', async () => {
  const other = await startKadmit();
  const random = createSeededRandom(4);
  const from = { port: other.port, ca: other.caPem, token: other.token };
  const client = cutHttp1Client(from, random);
  await Promise.all(Array.from({ length: 20 }, (_, turn) => client.send(stepOf('close', turn))));
  const started = performance.now();
  await other.close();
  expect(performance.now() - started).toBeLessThan(1000);
});
