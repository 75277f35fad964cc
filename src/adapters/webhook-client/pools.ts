import type { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { once } from '../../machinery/once.ts';
import type { Identity } from './credentials.ts';
import type { Endpoint } from './dial.ts';
import { hostPort } from './network-error.ts';
import { createConnectionPool } from './connection-pool.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { proxyFor } from './proxy.ts';
import { parsedRoots, systemRoots } from './system-roots.ts';

export interface PoolAddress {
  readonly host: string;
  readonly port: number;
  readonly secure: SecureAddress | undefined;
  /** Whether the environment's proxy applies: never to Services. */
  readonly mayProxy: boolean;
}

export interface SecureAddress {
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
  /** The endpoint of the pool. */
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
