/** A host as sockets take it: an IPv6 address without its brackets. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

export interface UrlAddress {
  readonly host: string;
  readonly port: number;
  /** Without TLS. */
  readonly plain: boolean;
  /** Prefix of every path; '' for none. */
  readonly basePath: string;
}

export function urlAddress({ protocol, hostname, port, pathname }: URL): UrlAddress {
  const plain = protocol === 'http:';
  return {
    host: bareHost(hostname),
    port: Number(port) || (plain ? 80 : 443),
    plain,
    basePath: pathname === '/' ? '' : pathname,
  };
}
