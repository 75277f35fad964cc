import { bareHost } from '../../../machinery/url-address.ts';
import { unescaped } from '../../../machinery/json/unescaped.ts';
import type { ClientConfig } from './call.ts';
import { goPath } from '../../../machinery/go/go-path.ts';

export interface CallTarget {
  readonly scheme: string;
  /** The Host header: `127.0.0.1:8443`, `hook.ns.svc:443`. Without a default port unless written. */
  readonly authority: string;
  /** IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Cleaned and percent-encoded, without a query. */
  readonly path: string;
}

/**
 * A service is `name.namespace.svc:port`, wherever it resolves to. Follows apiserver pkg/util/webhook/client.go (rules
 * HTTP-3, HTTP-4, HTTP-6).
 */
export function callTarget({ url, service }: ClientConfig): CallTarget | undefined {
  if (service) {
    const port = service.port ?? 443;
    const host = `${service.name}.${service.namespace}.svc`;
    return { scheme: 'https', authority: `${host}:${port}`, host, port, path: goPath(service.path ?? '') };
  }
  return url === undefined ? undefined : targetOfUrl(url);
}

/** Keeps a default port, as Go does. */
export function targetOfUrl(url: string): CallTarget | undefined {
  const [, scheme, authority, path] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? [];
  if (scheme === undefined || !authority) return undefined;
  const { host, port } = splitHostPort(authority, scheme);
  if (host === '') return undefined;
  return { scheme: scheme.toLowerCase(), authority, host, port, path: goPath(unescaped(path ?? '')) };
}

/** Empty host if it cannot be dialled. */
export function splitHostPort(authority: string, scheme: string): Pick<CallTarget, 'host' | 'port'> {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(withoutUser(authority)) ?? [];
  return { host: bareHost(host), port: port ? Number(port) : defaultPort(scheme) };
}

const withoutUser = (authority: string): string => authority.slice(authority.lastIndexOf('@') + 1);

const defaultPort = (scheme: string): number => (scheme.toLowerCase() === 'http' ? 80 : 443);
