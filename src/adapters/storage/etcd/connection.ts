import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelCredentials, Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { StorageUnavailable } from '../../../apiserver/storage/storage.ts';
import { decode, encode, type Responses, type WatchResponse } from './wire.ts';

export interface EtcdAddress {
  /** `http://127.0.0.1:2379`; calls go to one server until it fails. */
  readonly servers: readonly string[];
  /** PEM. */
  readonly ca?: Buffer | undefined;
  readonly certificate?: Buffer | undefined;
  readonly key?: Buffer | undefined;
  /** Milliseconds of a call including its connection; default: 10 s. */
  readonly deadlineMs?: number;
}

type UnaryRequest = Exclude<keyof Responses, 'WatchRequest'>;

/** Calls to the current etcd server. */
export interface EtcdConnection {
  /** Rejects with StorageUnavailable. */
  readonly call: <Name extends UnaryRequest>(name: Name, message: object) => Promise<Responses[Name]>;
  readonly watch: (listener: WatchListener) => WatchCall;
  readonly close: () => void;
}

export interface WatchListener {
  /** An exception ends the watch. */
  readonly received: (response: WatchResponse) => void;
  /** Called once, unless the watch was cancelled. */
  readonly ended: (error: unknown) => void;
}

export interface WatchCall {
  readonly send: (request: object) => void;
  readonly cancel: () => void;
}

const paths: Readonly<Record<keyof Responses, string>> = {
  RangeRequest: '/etcdserverpb.KV/Range',
  TxnRequest: '/etcdserverpb.KV/Txn',
  WatchRequest: '/etcdserverpb.Watch/Watch',
  LeaseGrantRequest: '/etcdserverpb.Lease/LeaseGrant',
  CompactionRequest: '/etcdserverpb.KV/Compact',
};

const options = {
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_receive_message_length': 512 * 1024 * 1024,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // What may be repeated is decided by `mayRepeat`.
  'grpc.enable_retries': 0,
};

/** Milliseconds before all servers are tried again. */
const retryPauseMs = 100;

/**
 * Connects on the first call and reconnects with backoff. Repeats calls that reached no server, and reads, until the
 * deadline; then, or when the response to a write was lost, rejects with StorageUnavailable.
 */
export function connectToEtcd({ deadlineMs = 10_000, ...address }: EtcdAddress): EtcdConnection {
  const servers = openServers(address);
  return {
    call: async (name, message) => {
      const deadline = Date.now() + deadlineMs;
      // The connection error is more useful than the deadline that followed.
      let earlier: ServiceError | undefined;
      for (let attempt = 1; ; attempt += 1) {
        if (servers.isClosed()) throw new StorageUnavailable('the connection to etcd is closed');
        const server = servers.current();
        const result = await callOnce(server.client, name, message, deadline);
        if (result.outcome === 'answered') return result.response;
        const { error } = result;
        if (isAway(error)) server.moveOn();
        if (Date.now() + retryPauseMs >= deadline || !mayRepeat(name, error)) {
          throw unavailable(error.code === status.DEADLINE_EXCEEDED ? (earlier ?? error) : error, server.host);
        }
        earlier = error;
        if (attempt % servers.count === 0) await sleep(retryPauseMs);
      }
    },
    watch: (listener) => openWatch(servers.current(), listener),
    close: servers.close,
  };
}

interface Server {
  readonly client: Client;
  readonly host: string;
  /** Selects the next server, unless that happened meanwhile. */
  readonly moveOn: () => void;
}

interface Servers {
  readonly count: number;
  readonly current: () => Server;
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

function openServers({ servers, ca, certificate, key }: Omit<EtcdAddress, 'deadlineMs'>): Servers {
  const clients = servers.map((url) => {
    const { protocol, host } = new URL(url);
    const secure = (): ChannelCredentials => credentials.createSsl(ca ?? null, key ?? null, certificate ?? null);
    const client = new Client(host, protocol === 'https:' ? secure() : credentials.createInsecure(), options);
    return { client, host };
  });
  let index = 0;
  let isClosed = false;
  return {
    count: clients.length,
    current: () => {
      const from = index;
      const server = clients[from % clients.length];
      if (!server) throw new Error('no etcd server is configured');
      return { ...server, moveOn: () => (index = index === from ? from + 1 : index) };
    },
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
      for (const { client } of clients) client.close();
    },
  };
}

type CallResult<Response> =
  | { readonly outcome: 'answered'; readonly response: Response }
  | { readonly outcome: 'failed'; readonly error: ServiceError };

const callOnce = <Name extends UnaryRequest>(
  client: Client,
  name: Name,
  message: object,
  deadline: number,
): Promise<CallResult<Responses[Name]>> =>
  new Promise((resolve, reject) => {
    client.makeUnaryRequest<object, Responses[Name]>(
      paths[name],
      (value) => encode(name, value),
      (bytes) => decode(name, bytes),
      message,
      { deadline },
      (error, response) => {
        if (response) resolve({ outcome: 'answered', response });
        else if (error) resolve({ outcome: 'failed', error });
        else reject(new StorageUnavailable('etcd gave no answer'));
      },
    );
  });

function openWatch({ client, host, moveOn }: Server, { received, ended }: WatchListener): WatchCall {
  // Ends the watch when the member loses its quorum. Follows etcd client/v3 WithRequireLeader.
  const metadata = new Metadata();
  metadata.set('hasleader', 'true');
  const stream = client.makeBidiStreamRequest<object, WatchResponse>(
    paths.WatchRequest,
    (value) => encode('WatchRequest', value),
    (bytes) => decode('WatchRequest', bytes),
    metadata,
  );
  let isOver = false;
  const end = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    stream.cancel();
    ended(error);
  };
  stream.on('data', (response: WatchResponse) => {
    if (isOver) return;
    try {
      received(response);
    } catch (error) {
      end(error);
    }
  });
  stream.on('error', (error: ServiceError) => {
    if (isAway(error)) moveOn();
    end(unavailable(error, host));
  });
  stream.on('end', () => end(new StorageUnavailable('etcd ended the watch')));
  return {
    send: (request) => {
      if (!isOver) stream.write(request);
    },
    cancel: () => {
      isOver = true;
      stream.cancel();
    },
  };
}

/** Another server may answer. */
const isAway = ({ code }: ServiceError): boolean => code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED;

/** grpc-js's text for a call without a connection. */
const notSent = 'No connection established';

/** Whether the call was not sent or is a read. Follows etcd client/v3/retry.go. */
const mayRepeat = (name: UnaryRequest, { code, details }: ServiceError): boolean =>
  code === status.UNAVAILABLE && (name === 'RangeRequest' || details.startsWith(notSent) || isRefused(details));

/** The server closed the stream before it processed the call. */
const isRefused = (details: string): boolean => /REFUSED_STREAM|Stream refused by server/i.test(details);

/** The revision was compacted. */
export class Compacted extends StorageUnavailable {}

/** The error as Go's client prints it: etcd's message or gRPC's. */
function unavailable({ code, details }: ServiceError, host: string): StorageUnavailable {
  if (details.includes('required revision has been compacted')) return new Compacted(details);
  if (details.startsWith('etcdserver: ')) return new StorageUnavailable(details);
  if (code === status.DEADLINE_EXCEEDED) return new StorageUnavailable('etcdserver: request timed out');
  const text = details.startsWith(notSent) ? dialText(details, host) : callText(details);
  return new StorageUnavailable(`rpc error: code = ${goCodes[code] ?? 'Unknown'} desc = ${text}`);
}

/** Other codes are Unknown. Follows grpc codes/code_string.go. */
const goCodes: Readonly<Partial<Record<status, string>>> = {
  [status.CANCELLED]: 'Canceled',
  [status.INVALID_ARGUMENT]: 'InvalidArgument',
  [status.NOT_FOUND]: 'NotFound',
  [status.PERMISSION_DENIED]: 'PermissionDenied',
  [status.RESOURCE_EXHAUSTED]: 'ResourceExhausted',
  [status.FAILED_PRECONDITION]: 'FailedPrecondition',
  [status.OUT_OF_RANGE]: 'OutOfRange',
  [status.UNIMPLEMENTED]: 'Unimplemented',
  [status.INTERNAL]: 'Internal',
  [status.UNAVAILABLE]: 'Unavailable',
  [status.UNAUTHENTICATED]: 'Unauthenticated',
};

const dialErrors: readonly (readonly [node: string, go: string])[] = [
  ['ECONNREFUSED', 'connect: connection refused'],
  ['ECONNRESET', 'read: connection reset by peer'],
  ['EHOSTUNREACH', 'connect: no route to host'],
  ['ENETUNREACH', 'connect: network is unreachable'],
  ['ETIMEDOUT', 'i/o timeout'],
];

const callText = (details: string): string =>
  details === 'Connection dropped' ? 'error reading from server: EOF' : details.trim().replaceAll('\n', ' ');

/** Follows grpc internal/transport/http2_client.go. */
function dialText(details: string, host: string): string {
  const known = dialErrors.find(([node]) => details.includes(node));
  const [, reason = ''] = /Last error: (.*?)(?:\. Resolution note:|$)/s.exec(details) ?? [];
  const text = known
    ? `Error while dialing: dial tcp ${host}: ${known[1]}`
    : `authentication handshake failed: ${reason.replaceAll('\n', ' ')}`;
  return `connection error: desc = "transport: ${text}"`;
}
