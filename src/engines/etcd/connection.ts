import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../apimachinery/error-text.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import { CallError, codeNames, grpcCode } from './call-error.ts';
import { askUnary, lateError } from './grpc-call.ts';
import { keepSession } from './grpc-session.ts';
import type { ConnectionKeeper, Tls } from './grpc-session.ts';
import { openWatch } from './watch-call.ts';
import type { WatchCall, WatchHeard } from './watch-call.ts';
import { decode, encode } from './wire.ts';
import type { Answers } from './wire.ts';

export interface EtcdAddress extends Tls {
  /** `http://127.0.0.1:2379`; one of them is asked until it does not answer. */
  readonly servers: readonly string[];
  /** How long etcd may take for an answer, connecting included; ten seconds unless said. */
  readonly deadlineMs?: number;
}

/** What etcd is asked, over the server that answers. */
export interface Connection {
  readonly ask: <Name extends Exclude<keyof Answers, 'WatchRequest'>>(
    name: Name,
    message: object,
  ) => Promise<Answers[Name]>;
  readonly watch: (heard: WatchHeard) => WatchCall;
  readonly close: () => void;
}

const paths: Readonly<Record<keyof Answers, string>> = {
  RangeRequest: '/etcdserverpb.KV/Range',
  TxnRequest: '/etcdserverpb.KV/Txn',
  WatchRequest: '/etcdserverpb.Watch/Watch',
  LeaseGrantRequest: '/etcdserverpb.Lease/LeaseGrant',
  CompactionRequest: '/etcdserverpb.KV/Compact',
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
      const bytes = encode(name, message);
      // Why there was no connection says more than that time ran out while there was none.
      let before: unknown;
      for (let tried = 1; ; tried += 1) {
        if (servers.isClosed()) throw new StorageUnavailable('the connection to etcd is closed');
        const { keeper, moveOn } = servers.current();
        try {
          return decode(name, await askUnary(await openBy(keeper, deadline), paths[name], bytes, deadline));
        } catch (error) {
          if (isAway(error)) moveOn();
          if (Date.now() + againAfterMs >= deadline || !mayRepeat(name, error)) {
            throw unavailable(isLate(error) ? (before ?? error) : error);
          }
          before = error;
          if (tried % servers.count === 0) await sleep(againAfterMs);
        }
      }
    },
    watch: (heard) => {
      const { keeper, moveOn } = servers.current();
      const ended = (error: unknown): void => {
        if (isAway(error)) moveOn();
        heard.ended(unavailable(error));
      };
      return openWatch(keeper, paths.WatchRequest, { answered: heard.answered, ended });
    },
    close: servers.close,
  };
}

/** A session, or none at the deadline. Where one is open nobody waits. */
function openBy(keeper: ConnectionKeeper, deadline: number): ReturnType<ConnectionKeeper['session']> {
  const session = keeper.session();
  if (!(session instanceof Promise)) return session;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(lateError()), deadline - Date.now());
    session.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

interface Servers {
  readonly count: number;
  /** The one that is asked now; `moveOn` lets the next be asked, unless somebody else did so meanwhile. */
  readonly current: () => { readonly keeper: ConnectionKeeper; readonly moveOn: () => void };
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

function openServers({ servers, ...tls }: Omit<EtcdAddress, 'deadlineMs'>): Servers {
  const keepers = servers.map((url) => keepSession(new URL(url), tls));
  let turn = 0;
  let isClosed = false;
  return {
    count: keepers.length,
    current: () => {
      const from = turn;
      const keeper = keepers[from % keepers.length];
      if (!keeper) throw new Error('no etcd server is named');
      return { keeper, moveOn: () => (turn = turn === from ? from + 1 : turn) };
    },
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
      for (const one of keepers) one.close();
    },
  };
}

const isLate = (error: unknown): boolean => error instanceof CallError && error.code === grpcCode.deadlineExceeded;

/** This server does not answer; another may. */
const isAway = (error: unknown): boolean =>
  error instanceof CallError && (error.code === grpcCode.unavailable || isLate(error));

/** Was it never sent, or does it change nothing? Follows etcd client/v3/retry.go. */
const mayRepeat = (name: keyof Answers, error: unknown): boolean =>
  error instanceof CallError && error.code === grpcCode.unavailable && (name === 'RangeRequest' || !error.wasSent);

/** A revision that etcd has forgotten. */
export class Compacted extends StorageUnavailable {}

/** etcd's own words where it spoke, gRPC's where it did not, as Go's client gives them. */
function unavailable(error: unknown): StorageUnavailable {
  if (!(error instanceof CallError)) return new StorageUnavailable(errorText(error));
  const { code, message } = error;
  if (message.includes('required revision has been compacted')) return new Compacted(message);
  if (message.startsWith('etcdserver: ')) return new StorageUnavailable(message);
  if (code === grpcCode.deadlineExceeded) return new StorageUnavailable('etcdserver: request timed out');
  return new StorageUnavailable(
    `rpc error: code = ${codeNames.get(code) ?? 'Unknown'} desc = ${message.trim().replaceAll('\n', ' ')}`,
  );
}
