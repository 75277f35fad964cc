import type { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Client } from 'undici';
import { once } from '../../machinery/once.ts';
import type { Identity } from './credentials.ts';
import { afterReading } from './call-failure.ts';
import { createDialler, type Dialler, type Endpoint } from './dial.ts';
import { hostPort } from './network-error.ts';
import { proxyFor } from './proxy.ts';
import { parsedRoots, systemRoots } from './ca-bundle.ts';

export interface PoolAddress {
  readonly host: string;
  readonly port: number;
  readonly secure: SecureAddress | undefined;
  /** Whether the environment's proxy applies: never to Services. */
  readonly mayProxy: boolean;
}

interface SecureAddress {
  readonly serverName: string;
  readonly http2: boolean;
  /** As stored; '' selects the system roots. */
  readonly caBundle: string;
  readonly certificates: readonly X509Certificate[];
  readonly identity: Identity | undefined;
  /** Skip verification. */
  readonly insecure: boolean;
}

/** One pool per address, server name, caBundle and client certificate. */
export interface Pools {
  readonly to: (address: PoolAddress) => ConnectionPool;
  readonly endpointFor: (address: PoolAddress) => Endpoint;
  readonly close: () => void;
}

// kube-apiserver's number of cached webhook clients.
const maxPools = 200;

export function createPools(): Pools {
  const pools = new Map<string, ConnectionPool>();
  const hostRoots = once(() => systemRoots(process.env));
  const hostContext = once(() => createSecureContext({ ca: [...hostRoots()], minVersion: 'TLSv1.2' }));
  const contextFor = ({ certificates, identity }: SecureAddress): SecureContext =>
    certificates.length === 0 && identity === undefined
      ? hostContext()
      : createSecureContext({
          ca: certificates.length === 0 ? [...hostRoots()] : certificates.map(String),
          minVersion: 'TLSv1.2',
          ...(identity && { cert: identity.certificate, key: identity.key }),
        });
  const rootsFor = ({ certificates }: SecureAddress): (() => readonly X509Certificate[]) =>
    certificates.length === 0 ? once(() => parsedRoots(hostRoots())) : () => certificates;
  const endpointFor = ({ host, port, secure, mayProxy }: PoolAddress): Endpoint => ({
    host,
    port,
    proxy: mayProxy && secure ? proxyFor(host, port, process.env) : undefined,
    tls: secure && {
      serverName: secure.serverName,
      protocols: secure.http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
      context: contextFor(secure),
      roots: rootsFor(secure),
      insecure: secure.insecure,
    },
  });
  return {
    endpointFor,
    to: (address) => {
      const key = keyOf(address);
      const pool = pools.get(key) ?? createConnectionPool(endpointFor(address));
      // Reinserting keeps the map in order of use.
      pools.delete(key);
      pools.set(key, pool);
      if (pools.size > maxPools) dropOldest(pools);
      return pool;
    },
    close: () => {
      const all = [...pools.values()];
      pools.clear();
      for (const pool of all) pool.close();
    },
  };
}

const keyOf = ({ host, port, secure, mayProxy }: PoolAddress): string =>
  secure
    ? `https ${hostPort(host, port)} ${mayProxy} ${secure.serverName} ${secure.http2} ${secure.caBundle} ${secure.insecure} ${secure.identity?.certificate}`
    : `http ${hostPort(host, port)}`;

function dropOldest(pools: Map<string, ConnectionPool>): void {
  const [oldest] = pools;
  if (!oldest) return;
  pools.delete(oldest[0]);
  oldest[1].drain();
}

/** An undici client with one connection, which it reopens when it closed. */
export interface PooledConnection {
  readonly client: Client;
  readonly dialler: Dialler;
  /** Requests under way; several over HTTP/2. */
  requests: number;
}

/** Connections to one endpoint. Follows Go's net/http transport.go (rule HTTP-7). */
export interface ConnectionPool {
  readonly acquire: () => Promise<PooledConnection>;
  /** Keeps the connection once it is idle. */
  readonly release: (connection: PooledConnection) => void;
  /** Closes the connection after a failed request, unless other requests share it. */
  readonly discard: (connection: PooledConnection) => void;
  /** Closes idle connections now and others when they are released. */
  readonly drain: () => void;
  readonly close: () => void;
}

/** client-go keeps 25, which makes 80 concurrent calls repeat handshakes. */
const maxIdle = 500;

// Go's idle timeout. undici shortens it to that of a Keep-Alive header minus two seconds.
const idleMs = 90_000;

const maxStreams = 100;

/** Go's limit is ten megabytes. */
const maxHeaderSize = 256 * 1024;

function createConnectionPool(endpoint: Endpoint): ConnectionPool {
  const idle: PooledConnection[] = [];
  const open = new Set<PooledConnection>();
  let isDrained = false;

  const close = (connection: PooledConnection): void => {
    open.delete(connection);
    connection.dialler.abandon();
    afterReading(() => void connection.client.destroy());
  };
  const release = (connection: PooledConnection): void => {
    connection.requests -= 1;
    if (!open.has(connection) || connection.requests > 0) return;
    if (isDrained || idle.length >= maxIdle) close(connection);
    else idle.push(connection);
  };
  /** The connection used last whose server has read the whole request, so that the others reach their idle timeout. */
  const lastIdle = (): PooledConnection | undefined => {
    const at = idle.findLastIndex(({ dialler }) => !dialler.isWriting());
    return at < 0 ? undefined : idle.splice(at, 1)[0];
  };
  return {
    acquire: async () => {
      const shared = [...open].find(({ requests, dialler }) => requests > 0 && dialler.isHttp2());
      const connection = shared ?? lastIdle() ?? (await createConnection(endpoint));
      connection.requests += 1;
      open.add(connection);
      return connection;
    },
    release,
    discard: (connection) => {
      if (connection.dialler.isHttp2()) release(connection);
      else close(connection);
    },
    drain: () => {
      isDrained = true;
      for (const connection of idle.splice(0)) close(connection);
    },
    close: () => {
      isDrained = true;
      idle.length = 0;
      for (const connection of open) close(connection);
    },
  };
}

async function createConnection(endpoint: Endpoint): Promise<PooledConnection> {
  // Loaded by the first call: it takes 60 ms.
  const undici = await import('undici');
  const dialler = createDialler(endpoint);
  // The dialler knows the address, and every request sets its Host.
  const client = new undici.Client('https://localhost', {
    connect: (_options, callback) => {
      dialler.dial().then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
    allowH2: true,
    pipelining: endpoint.tls?.protocols.includes('h2') ? maxStreams : 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    maxHeaderSize,
    // Each call has its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { client, dialler, requests: 0 };
}
