import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { ServiceReference, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import type { CallTarget } from '../../apiserver/admission/webhooks/call-target.ts';
import type { Identity } from './credentials.ts';
import type { PoolAddress, Pools } from './pools.ts';
import { mapped, resolveService } from './resolve-service.ts';
import type { Resolution, Unresolved } from './resolve-service.ts';
import type { Mappings } from './mappings.ts';
import type { ConnectionPool } from './connection-pool.ts';

/** The connection for a target. */
export type Route =
  | {
      readonly outcome: 'routed';
      readonly pool: ConnectionPool;
      readonly basePath: string;
      readonly origin: string;
      readonly program?: string | undefined;
    }
  | (Pick<Unresolved, 'because' | 'error'> & { readonly outcome: 'unrouted' });

/** An address that replaces the webhook's own; `plain`: no TLS, `basePath` precedes the webhook's path. */
export type Detour = Omit<Extract<Resolution, { readonly outcome: 'resolved' }>, 'outcome'>;

/** Trusted roots ([]: the system's) and the client certificate. */
export interface Trust {
  readonly certificates: readonly X509Certificate[];
  readonly identity: Identity | undefined;
  readonly insecure: boolean;
}

export interface Routing {
  readonly asked: WebhookCall;
  readonly target: CallTarget;
  readonly trust: Trust;
  readonly pools: Pools;
  readonly cluster: ClusterView;
  readonly mappings: Mappings;
  readonly detour: Detour | undefined;
}

/**
 * Routes of one call. Resolves its Service and mappings; other hosts named by redirects are dialled directly, with
 * the same trust and server name. Follows apiserver pkg/util/webhook/client.go.
 */
export function createRoutes(routing: Routing): (target: CallTarget) => Route {
  const { service } = routing.asked.clientConfig;
  return (target) => {
    const isFirst = target.host === routing.target.host && target.port === routing.target.port;
    if (isFirst && routing.detour) return knownRoute(routing.detour, routing);
    if (isFirst && service) return serviceRoute(service, routing);
    const led = isFirst ? routing.mappings.forHost(target) : undefined;
    if (led) return knownRoute(mapped(led), routing);
    const origin = `${target.scheme}://${target.authority}`;
    return { outcome: 'routed', pool: routing.pools.to(directAddress(target, routing)), basePath: '', origin };
  };
}

function serviceRoute(service: ServiceReference, routing: Routing): Route {
  const { namespace, name } = service;
  const { target, cluster, mappings } = routing;
  const resolution = resolveService({ namespace, name, port: target.port }, cluster, mappings);
  if (resolution.outcome === 'unresolved') return { ...resolution, outcome: 'unrouted' };
  return knownRoute(resolution, routing);
}

function knownRoute({ host, port, plain, basePath, program }: Detour, routing: Routing): Route {
  const pool = routing.pools.to(knownAddress({ host, port, plain }, routing));
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return { outcome: 'routed', pool, basePath, program, origin: `${plain ? 'http' : 'https'}://${name}:${port}` };
}

/** Trust for an address found for a webhook. */
export type Naming = Pick<Routing, 'target' | 'trust'> & { readonly asked: Pick<WebhookCall, 'clientConfig'> };

/** An address that replaces the webhook's own. */
export const knownAddress = (
  { host, port, plain }: Omit<Detour, 'basePath' | 'program'>,
  { asked, target, trust }: Naming,
): PoolAddress => ({
  host,
  port,
  secure: plain
    ? undefined
    : { serverName: target.host, http2: false, caBundle: asked.clientConfig.caBundle ?? '', ...trust },
  mayProxy: false,
});

/** The address in the target itself. */
export function directAddress(target: CallTarget, { asked, target: first, trust }: Naming): PoolAddress {
  const { service, caBundle = '' } = asked.clientConfig;
  const { scheme, host, port } = target;
  const secure = {
    serverName: service ? first.host : host,
    http2: !service && isLoopback(first.host),
    caBundle,
    ...trust,
  };
  return { host, port, secure: scheme === 'http' ? undefined : secure, mayProxy: true };
}

/** HTTP/2 only to loopback addresses: elsewhere one connection would defeat load balancing (rule HTTP-7). */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.')) || host === '::1';
