import { setTimeout as sleep } from 'node:timers/promises';
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

/** How long to wait before all servers are tried once more. */
const againAfterMs = 100;

/**
 * Connects when it is first asked, again and again with growing pauses. What no server got is sent again until the deadline, and
 * so is what changes nothing; then, or when a write's answer is lost, it rejects with StorageUnavailable.
 */
export function connect({ deadlineMs = 10_000, ...address }: EtcdAddress): Connection {
  const servers = openServers(address);
  return {
    ask: async (name, message) => {
      const deadline = Date.now() + deadlineMs;
      // Why there was no connection says more than that time ran out while there was none.
      let before: ServiceError | null | undefined;
      for (let tried = 1; ; tried += 1) {
        if (servers.isClosed()) throw new StorageUnavailable('the connection to etcd is closed');
        const { client, moveOn } = servers.current();
        const { answer, error } = await askOnce(client, name, message, deadline);
        if (answer) return answer;
        if (isAway(error)) moveOn();
        if (Date.now() + againAfterMs >= deadline || !mayRepeat(name, error)) {
          throw unavailable((error?.code === status.DEADLINE_EXCEEDED ? before : undefined) ?? error ?? null);
        }
        before = error;
        if (tried % servers.count === 0) await sleep(againAfterMs);
      }
    },
    watch: () => {
      const { client, moveOn } = servers.current();
      // A member that lost the others ends it instead of keeping silent. Follows clientv3.WithRequireLeader.
      const metadata = new Metadata();
      metadata.set('hasleader', 'true');
      const stream = client.makeBidiStreamRequest(
        paths.WatchRequest,
        (value: object) => encode('WatchRequest', value),
        (bytes) => decode('WatchRequest', bytes),
        metadata,
      );
      return stream.on('error', (error) => {
        if (isAway(error)) moveOn();
      });
    },
    close: servers.close,
  };
}

interface Servers {
  readonly count: number;
  /** The one that is asked now; `moveOn` lets the next be asked, unless somebody else did so meanwhile. */
  readonly current: () => { readonly client: Client; readonly moveOn: () => void };
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

function openServers({ servers, ca, certificate, key }: Omit<EtcdAddress, 'deadlineMs'>): Servers {
  const clients = servers.map((url) => {
    const { protocol, host } = new URL(url);
    const secure = (): ChannelCredentials => credentials.createSsl(ca ?? null, key ?? null, certificate ?? null);
    return new Client(host, protocol === 'https:' ? secure() : credentials.createInsecure(), options);
  });
  let turn = 0;
  let isClosed = false;
  return {
    count: clients.length,
    current: () => {
      const from = turn;
      const client = clients[from % clients.length];
      if (!client) throw new Error('no etcd server is named');
      return { client, moveOn: () => (turn = turn === from ? from + 1 : turn) };
    },
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
      for (const one of clients) one.close();
    },
  };
}

const askOnce = <Name extends Exclude<keyof Answers, 'WatchRequest'>>(
  client: Client,
  name: Name,
  message: object,
  deadline: number,
): Promise<{ readonly answer?: Answers[Name]; readonly error?: ServiceError | null }> =>
  new Promise((resolve) => {
    client.makeUnaryRequest(
      paths[name],
      (value: object) => encode(name, value),
      (bytes) => decode(name, bytes),
      message,
      { deadline },
      (error, answer) => resolve(answer ? { answer } : { error }),
    );
  });

/** This server does not answer; another may. */
const isAway = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === status.UNAVAILABLE || error.code === status.DEADLINE_EXCEEDED);

/** Was it never sent, or does it change nothing? Follows etcd client/v3/retry.go. */
function mayRepeat(name: keyof Answers, error: ServiceError | null | undefined): boolean {
  if (error?.code !== status.UNAVAILABLE) return false;
  return name === 'RangeRequest' || error.details.startsWith(notSent);
}

/** gRPC's words for a call that no connection took. */
const notSent = 'No connection established';

/** A revision that etcd has forgotten. */
export class Compacted extends StorageUnavailable {}

/** etcd's own words where it spoke, gRPC's where it did not, as Go's client gives them. */
function unavailable(error: ServiceError | null): StorageUnavailable {
  if (!error) return new StorageUnavailable('etcd gave no answer');
  const { code, details } = error;
  if (details.includes('required revision has been compacted')) return new Compacted(details);
  if (details.startsWith('etcdserver: ')) return new StorageUnavailable(details);
  if (code === status.DEADLINE_EXCEEDED) return new StorageUnavailable('etcdserver: request timed out');
  const text = details.replace(/\. Resolution note:.*$/s, '').replaceAll('\n', ' ');
  return new StorageUnavailable(`rpc error: code = ${codeNames.get(code) ?? 'Unknown'} desc = ${text}`);
}

const codeNames: ReadonlyMap<status, string> = new Map([
  [status.UNAVAILABLE, 'Unavailable'],
  [status.CANCELLED, 'Canceled'],
  [status.INTERNAL, 'Internal'],
  [status.PERMISSION_DENIED, 'PermissionDenied'],
  [status.UNAUTHENTICATED, 'Unauthenticated'],
  [status.RESOURCE_EXHAUSTED, 'ResourceExhausted'],
]);
