import { once } from 'node:events';
import { constants, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { connect as connectTcp, createServer as createTcpServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connectToEtcd, type EtcdConnection } from '../../../src/adapters/storage/etcd/connection.ts';
import { StorageUnavailable } from '../../../src/apiserver/storage/storage.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Answering {
  readonly url: string;
  readonly server: Http2Server;
  readonly sessions: ServerHttp2Session[];
  readonly paths: string[];
}

/** A server that answers each call in turn as one of these says, and all after them as the last. */
async function startServer(...answers: readonly ((stream: ServerHttp2Stream) => void)[]): Promise<Answering> {
  const server = createServer();
  const [sessions, paths]: [ServerHttp2Session[], string[]] = [[], []];
  server.on('session', (session) => {
    session.on('error', () => {});
    sessions.push(session);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    stream.resume();
    paths.push(String(headers[':path']));
    (answers[paths.length - 1] ?? answers.at(-1))?.(stream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const session of sessions) session.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, server, sessions, paths };
}

/** A message with gRPC's prefix: not compressed, and its length. */
function frameOf(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** RangeResponse { header { revision: 7 } } */
const revision7 = Buffer.from([0x0a, 0x02, 0x18, 0x07]);
const opened = { ':status': 200, 'content-type': 'application/grpc' };
const ends = (stream: ServerHttp2Stream, trailers: Readonly<Record<string, string>>): void => {
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
};
const answersWell = (stream: ServerHttp2Stream): void => {
  ends(stream, { 'grpc-status': '0' });
  stream.respond(opened, { waitForTrailers: true });
  stream.end(frameOf(revision7));
};
const says = (code: number, message: string) => (stream: ServerHttp2Stream) =>
  stream.respond({ ...opened, 'grpc-status': String(code), 'grpc-message': message }, { endStream: true });
const refuses = (stream: ServerHttp2Stream): void => stream.close(constants.NGHTTP2_REFUSED_STREAM);
const breaksOff = (stream: ServerHttp2Stream): void => stream.session?.destroy();

const connected = (...servers: readonly string[]): EtcdConnection => {
  const connection = connectToEtcd({ servers, deadlineMs: 1500 });
  closing.push(connection.close);
  return connection;
};
const range = { key: Buffer.from('/a') };
const failure = (asking: Promise<unknown>): Promise<unknown> => asking.catch((error: unknown) => error);
const revised = { header: { revision: 7 } };

test('an answer is read', async () => {
  const { url, paths } = await startServer(answersWell);
  const connection = connected(url);
  expect(await connection.call('RangeRequest', range)).toMatchObject(revised);
  expect(await connection.call('TxnRequest', {})).toMatchObject({ ...revised, succeeded: false });
  expect(paths).toEqual(['/etcdserverpb.KV/Range', '/etcdserverpb.KV/Txn']);
});

// Source: k8s.io/apiserver answers with etcd's words, and with gRPC's where etcd said nothing (clientv3, grpc status.go).
test.each([
  ['etcd says no', says(5, 'etcdserver: requested lease not found'), 'etcdserver: requested lease not found'],
  ['letters that are no ASCII', says(14, 'etcdserver: no %C3%A9'), 'etcdserver: no é'],
  ['what is no escape', says(13, '100%'), 'rpc error: code = Internal desc = 100%'],
  ['a code without a name', says(99, 'x'), 'rpc error: code = Unknown desc = x'],
  [
    'no gRPC server',
    (stream: ServerHttp2Stream) => stream.respond({ ':status': 404 }, { endStream: true }),
    'rpc error: code = Unimplemented desc = Received HTTP status code 404',
  ],
  [
    'no message',
    (stream: ServerHttp2Stream) => {
      ends(stream, { 'grpc-status': '0' });
      stream.respond(opened, { waitForTrailers: true });
      stream.end();
    },
    'rpc error: code = Unimplemented desc = No message received',
  ],
  [
    'a message that is none',
    (stream: ServerHttp2Stream) => {
      ends(stream, { 'grpc-status': '0' });
      stream.respond(opened, { waitForTrailers: true });
      stream.end(frameOf(Buffer.from([0x0b])));
    },
    /rpc error: code = Internal desc = Response message parsing error: /,
  ],
  ['an answer that is lost', breaksOff, 'rpc error: code = Unavailable desc = error reading from server: EOF'],
  ['an answer that does not come', () => {}, 'etcdserver: request timed out'],
])('%s: the storage is not there, and why', async (_what, answer, message) => {
  const { url, paths } = await startServer(answer);
  const error = await failure(connected(url).call('TxnRequest', {}));
  expect(error).toBeInstanceOf(StorageUnavailable);
  expect(String(error)).toMatch(message);
  expect(paths).toHaveLength(1);
});

test.each([
  ['a read whose answer was lost', 'RangeRequest', breaksOff],
  ['a read that etcd could not answer then', 'RangeRequest', says(14, 'etcdserver: leader changed')],
  ['a read that was not looked at', 'RangeRequest', refuses],
  ['a write that was not looked at', 'TxnRequest', refuses],
] as const)('%s is sent again', async (_what, name, first) => {
  const { url, paths } = await startServer(first, answersWell);
  expect(await connected(url).call(name, range)).toMatchObject(revised);
  expect(paths).toHaveLength(2);
});

test('who goes away is connected to again, and calls wait for it', async () => {
  const { url, sessions } = await startServer(answersWell);
  const connection = connected(url);
  await connection.call('RangeRequest', range);
  const gone = new Promise((resolve) => sessions[0]?.once('close', resolve));
  sessions[0]?.destroy();
  await gone;
  const asked = ['RangeRequest', 'RangeRequest', 'RangeRequest'] as const;
  expect(await Promise.all(asked.map((name) => connection.call(name, range)))).toMatchObject([
    revised,
    revised,
    revised,
  ]);
  expect(sessions).toHaveLength(2);
});

test('a server without listener is reported, and the next one is tried', async () => {
  const { url } = await startServer(answersWell);
  expect(await failure(connected('http://127.0.0.1:1').call('TxnRequest', {}))).toMatchObject({
    message:
      'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:1: connect: connection refused"',
  });
  expect(await connected('http://127.0.0.1:1', url).call('TxnRequest', {})).toMatchObject(revised);
});

// A load balancer accepts connections for a server that is down, and drops the request.
test('who accepts a connection and ends it has not got the write', async () => {
  const { url, sessions } = await startServer(answersWell);
  const door = createTcpServer((socket) => {
    if (doors > 0) socket.pipe(connectTcp(Number(new URL(url).port), '127.0.0.1')).pipe(socket);
    else socket.destroy();
    doors += 1;
  }).listen(0, '127.0.0.1');
  let doors = 0;
  await once(door, 'listening');
  closing.push(() => new Promise((resolve) => door.close(resolve)));
  const address = door.address();
  const there = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  expect(await connected(there).call('TxnRequest', {})).toMatchObject(revised);
  expect([doors, sessions.length]).toEqual([2, 1]);
});

test('a watch that cannot be opened ends once, with the reason', async () => {
  const reasons: unknown[] = [];
  await new Promise<void>((resolve) => {
    const call = connected('http://127.0.0.1:1').watch({
      received: () => {},
      ended: (error) => (reasons.push(error), resolve()),
    });
    call.send({ create: { key: Buffer.from('/a') } });
    call.send({ progress: {} });
  });
  expect(reasons).toMatchObject([{ message: expect.stringMatching(/connection refused"$/) }]);
});

/** WatchResponse { header { revision } }, three in one piece and one more. */
const tellsFour = (stream: ServerHttp2Stream): void => {
  stream.respond(opened);
  const frames = [1, 2, 3, 4].map((revision) => frameOf(Buffer.from([0x0a, 0x02, 0x18, revision])));
  stream.write(Buffer.concat(frames.slice(0, 3)));
  stream.write(frames[3]);
};

test('a watch receives the responses in order', async () => {
  const { url } = await startServer(tellsFour);
  const received: number[] = [];
  await new Promise<void>((resolve, reject) => {
    connected(url).watch({
      received: ({ header: { revision } }) => {
        received.push(revision);
        if (revision === 4) resolve();
      },
      ended: reject,
    });
  });
  expect(received).toEqual([1, 2, 3, 4]);
});

test('a watch whose listener throws ends with that error', async () => {
  const { url } = await startServer(tellsFour);
  const reasons: unknown[] = [];
  await new Promise<void>((resolve) => {
    connected(url).watch({
      received: () => {
        throw new Error('unreadable');
      },
      ended: (error) => (reasons.push(error), resolve()),
    });
  });
  expect(reasons).toMatchObject([{ message: 'unreadable' }]);
});

test('a watch that is cancelled before it is open reports nothing', async () => {
  const { url, paths } = await startServer(answersWell);
  const connection = connected(url);
  const heard: unknown[] = [];
  connection
    .watch({ received: (answer) => void heard.push(answer), ended: (error) => void heard.push(error) })
    .cancel();
  await connection.call('RangeRequest', range);
  expect([heard, paths]).toEqual([[], ['/etcdserverpb.KV/Range']]);
});

// Regression: gRPC's own error for a channel that is shut down was reported as a bug.
test('a call on a closed connection fails with the storage unavailable', async () => {
  const connection = connected('http://127.0.0.1:1');
  connection.close();
  await expect(connection.call('RangeRequest', range)).rejects.toBeInstanceOf(StorageUnavailable);
});
