import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { CallTarget, ServiceReference, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import { urlAddress } from '../../machinery/url-address.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import type { Identity } from './credentials.ts';
import type { PoolAddress, Pools, ConnectionPool } from './pools.ts';
import type { MappingTarget, Mappings, ServicePort } from './mappings.ts';

export type BackendRoute =
  | {
      readonly outcome: 'routed';
      readonly pool: ConnectionPool;
      readonly basePath: string;
      readonly origin: string;
      readonly program?: string | undefined;
    }
  | (Pick<Unresolved, 'because' | 'error'> & { readonly outcome: 'unrouted' });

/** An address that replaces the webhook's own; `plain`: no TLS, `basePath` precedes the webhook's path. */
export type ResolvedAddress = Omit<Extract<Resolution, { readonly outcome: 'resolved' }>, 'outcome'>;

/** Trusted roots ([]: the system's) and the client certificate. */
interface Trust {
  readonly certificates: readonly X509Certificate[];
  readonly identity: Identity | undefined;
  readonly insecure: boolean;
}

interface Routing {
  readonly webhookCall: WebhookCall;
  readonly target: CallTarget;
  readonly trust: Trust;
  readonly pools: Pools;
  readonly cluster: ClusterView;
  readonly mappings: Mappings;
  readonly dialOverride: ResolvedAddress | undefined;
}

/**
 * Routes of one call. Resolves its Service and mappings; other hosts named by redirects are dialled directly, with
 * the same trust and server name. Follows apiserver pkg/util/webhook/client.go.
 */
export function createRoutes(routing: Routing): (target: CallTarget) => BackendRoute {
  const { service } = routing.webhookCall.clientConfig;
  return (target) => {
    const isFirst = target.host === routing.target.host && target.port === routing.target.port;
    if (isFirst && routing.dialOverride) return knownRoute(routing.dialOverride, routing);
    if (isFirst && service) return serviceRoute(service, routing);
    const mapping = isFirst ? routing.mappings.forHost(target) : undefined;
    if (mapping) return knownRoute(mappedResolution(mapping), routing);
    const origin = `${target.scheme}://${target.authority}`;
    return { outcome: 'routed', pool: routing.pools.to(directAddress(target, routing)), basePath: '', origin };
  };
}

function serviceRoute(service: ServiceReference, routing: Routing): BackendRoute {
  const { namespace, name } = service;
  const { target, cluster, mappings } = routing;
  const resolution = resolveService({ namespace, name, port: target.port }, cluster, mappings);
  if (resolution.outcome === 'unresolved') return { ...resolution, outcome: 'unrouted' };
  return knownRoute(resolution, routing);
}

function knownRoute({ host, port, plain, basePath, program }: ResolvedAddress, routing: Routing): BackendRoute {
  const pool = routing.pools.to(knownAddress({ host, port, plain }, routing));
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return { outcome: 'routed', pool, basePath, program, origin: `${plain ? 'http' : 'https'}://${name}:${port}` };
}

/** Trust for an address found for a webhook. */
type Naming = Pick<Routing, 'target' | 'trust'> & { readonly webhookCall: Pick<WebhookCall, 'clientConfig'> };

/** An address that replaces the webhook's own. */
export const knownAddress = (
  { host, port, plain }: Omit<ResolvedAddress, 'basePath' | 'program'>,
  { webhookCall, target, trust }: Naming,
): PoolAddress => ({
  host,
  port,
  secure: plain
    ? undefined
    : { serverName: target.host, http2: false, caBundle: webhookCall.clientConfig.caBundle ?? '', ...trust },
  mayProxy: false,
});

export function directAddress(target: CallTarget, { webhookCall, target: first, trust }: Naming): PoolAddress {
  const { service, caBundle = '' } = webhookCall.clientConfig;
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

/** The address of a Service. */
type Resolution =
  | {
      readonly outcome: 'resolved';
      readonly host: string;
      readonly port: number;
      /** No TLS: `--map …=http://`. */
      readonly plain: boolean;
      /** The path of the mapping's URL; '' for none. */
      readonly basePath: string;
      /** The program that listens there. */
      readonly program?: string;
    }
  | Unresolved;

/** The reason, and the text of upstream's resolver. */
interface Unresolved {
  readonly outcome: 'unresolved';
  readonly because: 'service-missing' | 'service-port-missing' | 'service-unroutable' | 'no-endpoints';
  readonly error: string;
}

/**
 * Resolves a Service: a mapping, otherwise a ready endpoint (no network would serve a ClusterIP), otherwise the
 * external name. Follows kube-aggregator pkg/apiserver/resolvers.go and apiserver pkg/util/proxy/proxy.go (rule
 * HTTP-5).
 */
export function resolveService(
  wanted: ServicePort,
  view: ClusterView,
  mappings: Pick<Mappings, 'forService'>,
): Resolution {
  const mapping = mappings.forService(wanted);
  if (mapping) return mappedResolution(mapping);
  const service = view.get({ group: '', resource: 'services' }, wanted.namespace, wanted.name);
  if (!service) return unresolved('service-missing', `service ${goQuote(wanted.name)} not found`);
  const type = asString(valueAt(service, 'spec', 'type')) || 'ClusterIP';
  if (type === 'ExternalName') return resolveTo(asString(valueAt(service, 'spec', 'externalName')), wanted.port);
  if (type !== 'ClusterIP' && type !== 'NodePort' && type !== 'LoadBalancer') {
    return unresolved('service-unroutable', `unsupported service type ${goQuote(type)}`);
  }
  if (type === 'ClusterIP' && valueAt(service, 'spec', 'clusterIP') === 'None') {
    return unresolved('service-unroutable', 'cannot route to service with ClusterIP "None"');
  }
  return endpointOf(service, wanted, view);
}

export const mappedResolution = ({
  url,
  program,
}: MappingTarget): Extract<Resolution, { readonly outcome: 'resolved' }> => ({
  outcome: 'resolved',
  ...urlAddress(url),
  ...(program === undefined ? {} : { program }),
});

const resolveTo = (host: string, port: number): Resolution => ({
  outcome: 'resolved',
  host,
  port,
  plain: false,
  basePath: '',
});

const unresolved = (because: Unresolved['because'], error: string): Unresolved => ({
  outcome: 'unresolved',
  because,
  error,
});

function endpointOf(service: KubernetesObject, wanted: ServicePort, view: ClusterView): Resolution {
  const ports = asList(valueAt(service, 'spec', 'ports')).map(asObject);
  const port = ports.find((one) => one['port'] === wanted.port);
  const quoted = goQuote(wanted.name);
  if (!port) return unresolved('service-port-missing', `no service port ${wanted.port} found for service ${quoted}`);
  const portName = asString(port['name']);
  const endpoint = sliceEndpoint(wanted, portName, view) ?? subsetEndpoint(wanted, portName, view);
  if (endpoint) return resolveTo(endpoint.host, endpoint.port);
  // Upstream would dial the ClusterIP; this is the text of its endpoint-routing mode.
  return unresolved('no-endpoints', `no endpoints available for service ${quoted}`);
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function sliceEndpoint({ namespace, name }: ServicePort, portName: string, view: ClusterView): Address | undefined {
  const slices = view.list({ group: 'discovery.k8s.io', resource: 'endpointslices' }, namespace);
  for (const slice of slices) {
    if (valueAt(slice, 'metadata', 'labels', 'kubernetes.io/service-name') !== name) continue;
    const port = portNamed(slice['ports'], portName);
    const ready = asList(slice['endpoints'])
      .map(asObject)
      .find((endpoint) => valueAt(endpoint, 'conditions', 'ready') !== false);
    const host = asString(asList(ready?.['addresses'])[0]);
    if (port !== undefined && host !== '') return { host, port };
  }
  return undefined;
}

/** Endpoints objects, for Services without EndpointSlices. */
function subsetEndpoint({ namespace, name }: ServicePort, portName: string, view: ClusterView): Address | undefined {
  const endpoints = view.get({ group: '', resource: 'endpoints' }, namespace, name);
  for (const subset of asList(endpoints?.['subsets']).map(asObject)) {
    const port = portNamed(subset['ports'], portName);
    const host = asString(asObject(asList(subset['addresses'])[0])['ip']);
    if (port !== undefined && host !== '') return { host, port };
  }
  return undefined;
}

function portNamed(ports: JsonValue | undefined, name: string): number | undefined {
  const found = asList(ports)
    .map(asObject)
    .find((port: JsonObject) => asString(port['name']) === name);
  return typeof found?.['port'] === 'number' ? found['port'] : undefined;
}
