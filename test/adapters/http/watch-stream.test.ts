import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import https from 'node:https';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Listener, startListener } from '../../../src/adapters/http/listener.ts';
import { streamWatch, type WatchSink } from '../../../src/adapters/http/watch-stream.ts';
import type { OpenWatch, WatchEvent } from '../../../src/apiserver/request/api-request.ts';
import { createTestCa } from './certificates.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const one = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one' }, data: { a: '1' } };
const expired = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 };

/** The watch that the server has open. */
let opened: { readonly send: (event: WatchEvent) => void; readonly end: () => void; isStopped: boolean } | undefined;
const open: OpenWatch = (send, end) => {
  const watch = { send, end, isStopped: false };
  opened = watch;
  return () => {
    watch.isStopped = true;
  };
};

/** Ends while it is being opened. */
const openEnded: OpenWatch = (send, end) => {
  send({ type: 'ADDED', object: one });
  end();
  return open(send, end);
};

let ca: Awaited<ReturnType<typeof createTestCa>>;
let listener: Listener;
const log: string[] = [];

const start = async (): Promise<Listener> =>
  startListener({
    host: '127.0.0.1',
    port: 0,
    tls: { ...(await ca.issue('CN=kadmit')), clientCas: [ca.cert] },
    now: () => 0,
    release: recordedRelease,
    newUid: () => 'uid',
    logError: (line) => log.push(line),
    handle: async ({ path }) => ({ type: 'watch', open: path === '/ended' ? openEnded : open }),
  });

beforeAll(async () => {
  ca = await createTestCa();
  listener = await start();
});
afterAll(() => listener.close());

interface Stream {
  readonly status: number | undefined;
  readonly contentType: string | undefined;
  readonly chunks: readonly Buffer[];
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

const linesOf = ({ chunks }: Stream): readonly string[] => Buffer.concat(chunks).toString().split('\n').filter(Boolean);

/** Resolves with the headers, before any event. */
function watchHttp1(port: number, accept: string, path = '/'): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const request = https.get(
      { host: '127.0.0.1', port, path, ca: ca.cert, agent: false, headers: { accept } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => undefined);
        const ended = new Promise<void>((end) => response.once('end', end));
        resolve({
          status: response.statusCode,
          contentType: response.headers['content-type'],
          chunks,
          ended,
          leave: () => request.destroy(),
        });
      },
    );
    request.on('error', reject);
  });
}

function watchHttp2(port: number, accept: string, path = '/'): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: ca.cert });
    session.on('error', reject);
    const stream = session.request({ ':path': path, accept });
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise<void>((end) => stream.once('end', end));
    stream.on('error', reject);
    stream.once('end', () => session.close());
    stream.once('response', (headers) =>
      resolve({
        status: headers[':status'],
        contentType: headers['content-type'],
        chunks,
        ended,
        leave: () => session.destroy(),
      }),
    );
  });
}

const lengthInHex = ({ length }: Uint8Array): string => length.toString(16).padStart(8, '0');

const plain = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const metadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';

// Source: spec/kubectl.md section 8.2; apiserver pkg/endpoints/handlers/watch.go.
const frames: readonly [fact: string, accept: string, events: readonly WatchEvent[], lines: readonly object[]][] = [
  ['an event is a line', plain, [{ type: 'ADDED', object: one }], [{ type: 'ADDED', object: one }]],
  [
    'events keep their order',
    plain,
    [
      { type: 'ADDED', object: one },
      { type: 'DELETED', object: one },
    ],
    [
      { type: 'ADDED', object: one },
      { type: 'DELETED', object: one },
    ],
  ],
  [
    'metadata of every object, bookmarks too',
    metadata,
    [
      { type: 'MODIFIED', object: one },
      { type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '9' } } },
    ],
    [
      {
        type: 'MODIFIED',
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: one.metadata },
      },
      {
        type: 'BOOKMARK',
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '9' } },
      },
    ],
  ],
  ['an error stays a Status', metadata, [{ type: 'ERROR', object: expired }], [{ type: 'ERROR', object: expired }]],
  [
    'a Table shows its columns once',
    table,
    [
      { type: 'ADDED', object: one },
      { type: 'ADDED', object: one },
    ],
    [
      { type: 'ADDED', object: expect.objectContaining({ kind: 'Table', columnDefinitions: expect.any(Array) }) },
      { type: 'ADDED', object: expect.objectContaining({ kind: 'Table', columnDefinitions: null }) },
    ],
  ],
];

describe.each([
  ['HTTP/1.1', watchHttp1],
  ['HTTP/2', watchHttp2],
] as const)('%s', (_protocol, watch) => {
  test.each(frames)('%s', async (_fact, accept, events, lines) => {
    const stream = await watch(listener.port, accept);
    expect({ status: stream.status, contentType: stream.contentType, lines: linesOf(stream) }).toEqual({
      status: 200,
      contentType: plain,
      lines: [],
    });
    for (const event of events) opened?.send(event);
    opened?.end();
    await stream.ended;
    expect(linesOf(stream).map((line): unknown => JSON.parse(line))).toEqual(lines);
    expect(opened?.isStopped).toBe(true);
  });

  test('protobuf events come behind their length', async () => {
    const { encodeWatchEvent } = await recordedRelease.loadProtobuf();
    const stream = await watch(listener.port, `${protobuf};stream=watch`);
    expect(stream.contentType).toBe(`${protobuf};stream=watch`);
    opened?.send({ type: 'ADDED', object: one });
    opened?.send({ type: 'ERROR', object: expired });
    opened?.end();
    await stream.ended;
    const messages = [encodeWatchEvent('ADDED', one), encodeWatchEvent('ERROR', expired)];
    expect(Buffer.concat(stream.chunks).toString('hex')).toBe(
      messages.map((message) => `${lengthInHex(message)}${Buffer.from(message).toString('hex')}`).join(''),
    );
  });

  test('events close together go out together, in order, and without the end of the watch', async () => {
    const stream = await watch(listener.port, plain);
    const numbers = Array.from({ length: 500 }, (_, index) => index);
    for (const index of numbers) opened?.send({ type: 'ADDED', object: { ...one, index } });
    await vi.waitFor(() => expect(linesOf(stream)).toHaveLength(500));
    opened?.send({ type: 'ADDED', object: { ...one, index: 500 } });
    await vi.waitFor(() => expect(linesOf(stream)).toHaveLength(501));
    const sent = linesOf(stream).map((line): unknown => JSON.parse(line).object.index);
    expect(sent).toEqual([...numbers, 500]);
    expect(stream.chunks.length).toBeLessThan(100);
    stream.leave();
  });

  test('a watch may be over before it began', async () => {
    const stream = await watch(listener.port, plain, '/ended');
    await stream.ended;
    expect(linesOf(stream)).toHaveLength(1);
    expect(opened?.isStopped).toBe(true);
  });

  test('a client that goes stops its watch', async () => {
    const stream = await watch(listener.port, plain);
    const left = opened;
    stream.leave();
    await vi.waitFor(() => expect(left?.isStopped).toBe(true));
  });

  test('a bug ends the watch, not the writer whose event it was', async () => {
    const stream = await watch(listener.port, plain);
    const broken = {
      get kind(): string {
        throw new Error('a bug');
      },
    };
    expect(() => opened?.send({ type: 'ADDED', object: broken })).not.toThrow();
    await stream.ended;
    expect(log.at(-1)).toMatch(/^GET \/: Error: a bug\n/);
    expect(opened?.isStopped).toBe(true);
  });

  test('closing the server ends its watches within a second', async () => {
    const other = await start();
    const stream = await watch(other.port, plain);
    const before = performance.now();
    await other.close();
    await stream.ended;
    expect(opened?.isStopped).toBe(true);
    expect(performance.now() - before).toBeLessThan(1000);
  });
});

test('a compressed watch is one gzip stream, and each event can be read at once', async () => {
  const gunzip = createGunzip();
  const read: string[] = [];
  gunzip.on('data', (chunk: Buffer) => read.push(chunk.toString()));
  const headers: number[] = [];
  const sink: WatchSink = {
    writeHead: () => {},
    write: (frame) => {
      const bytes = Buffer.from(frame);
      if (bytes.readUInt16BE() === 0x1f8b) headers.push(bytes.length);
      return gunzip.write(bytes);
    },
    end: () => gunzip.end(),
    once: () => {},
    writableLength: 0,
  };
  const watch = { type: 'watch', headers: {}, open, isZipped: true, frame: () => '{"type":"ADDED"}\n' } as const;
  const finish = streamWatch(sink, watch, (error) => log.push(String(error)));
  opened?.send({ type: 'ADDED', object: one });
  await vi.waitFor(() => expect(read.join('')).toBe('{"type":"ADDED"}\n'));
  opened?.send({ type: 'ADDED', object: one });
  await vi.waitFor(() => expect(read.join('')).toBe('{"type":"ADDED"}\n{"type":"ADDED"}\n'));
  finish();
  await once(gunzip, 'end');
  expect(headers).toHaveLength(1);
});
