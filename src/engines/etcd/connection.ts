import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import type { ChannelCredentials, ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import { decode, encode } from './wire.ts';
import type { Answers, WatchResponse } from './wire.ts';

export interface EtcdAddress {
  /** `http://127.0.0.1:2379`; one of them is asked until it does not answer. */
  readonly servers: readonly string[];
  /** PEM. */
  readonly ca?: Buffer | undefined;
  readonly certificate?: Buffer | undefined;
  readonly key?: Buffer | undefined;
  /** How long etcd may take for an answer, connecting included; ten seconds unless said. */
  readonly deadlineMs?: number;
}

/** What etcd is asked, over the server that answers. */
export interface Connection {
  readonly ask: <Name extends Exclude<keyof Answers, 'WatchRequest'>>(
    name: Name,
    message: object,
  ) => Promise<Answers[Name]>;
  readonly watch: () => ClientDuplexStream<object, WatchResponse>;
  readonly close: () => void;
}

const paths: Readonly<Record<keyof Answers, string>> = {
  RangeRequest: '/etcdserverpb.KV/Range',
  TxnRequest: '/etcdserverpb.KV/Txn',
  WatchRequest: '/etcdserverpb.Watch/Watch',
  LeaseGrantRequest: '/etcdserverpb.Lease/LeaseGrant',
  CompactionRequest: '/etcdserverpb.KV/Compact',
};

const options = {
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_receive_message_length': 2 ** 31 - 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 3000,
};

/** Connects when it is first asked, again and again with growing pauses; rejects with StorageUnavailable meanwhile. */
export function connect({ servers, ca, certificate, key, deadlineMs = 10_000 }: EtcdAddress): Connection {
  const clients = servers.map((url) => {
    const { protocol, host } = new URL(url);
    const secure = (): ChannelCredentials => credentials.createSsl(ca ?? null, key ?? null, certificate ?? null);
    return new Client(host, protocol === 'https:' ? secure() : credentials.createInsecure(), options);
  });
  let turn = 0;
  let isClosed = false;
  const client = (): Client => {
    const current = clients[turn % clients.length];
    if (!current) throw new Error('no etcd server is named');
    return current;
  };
  return {
    ask: (name, message) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new StorageUnavailable('the connection to etcd is closed'));
        client().makeUnaryRequest(
          paths[name],
          (value: object) => encode(name, value),
          (bytes) => decode(name, bytes),
          message,
          new Metadata({ waitForReady: clients.length === 1 }),
          { deadline: Date.now() + deadlineMs },
          (error, answer) => {
            if (answer) return resolve(answer);
            if (error?.code === status.UNAVAILABLE) turn += 1;
            reject(unavailable(error));
          },
        );
      }),
    watch: () =>
      client().makeBidiStreamRequest(
        paths.WatchRequest,
        (value: object) => encode('WatchRequest', value),
        (bytes) => decode('WatchRequest', bytes),
        new Metadata(),
      ),
    close: () => {
      isClosed = true;
      for (const one of clients) one.close();
    },
  };
}

/** A revision that etcd has forgotten. */
export class Compacted extends StorageUnavailable {}

/** etcd's own words where it spoke, gRPC's where it did not, as Go's client gives them. */
function unavailable(error: ServiceError | null): StorageUnavailable {
  if (!error) return new StorageUnavailable('etcd gave no answer');
  const { code, details } = error;
  if (details.includes('required revision has been compacted')) return new Compacted(details);
  if (details.startsWith('etcdserver: ')) return new StorageUnavailable(details);
  if (code === status.DEADLINE_EXCEEDED) return new StorageUnavailable('etcdserver: request timed out');
  return new StorageUnavailable(`rpc error: code = ${codeNames.get(code) ?? 'Unknown'} desc = ${details}`);
}

const codeNames: ReadonlyMap<status, string> = new Map([
  [status.UNAVAILABLE, 'Unavailable'],
  [status.CANCELLED, 'Canceled'],
  [status.INTERNAL, 'Internal'],
  [status.PERMISSION_DENIED, 'PermissionDenied'],
  [status.UNAUTHENTICATED, 'Unauthenticated'],
  [status.RESOURCE_EXHAUSTED, 'ResourceExhausted'],
]);
