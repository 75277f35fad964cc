import { bareHost } from '../apimachinery/url-address.ts';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { ConfigError } from '../config/config-error.ts';
import { readFlagFile } from '../config/flag-file.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { EgressProxy } from '../webhook-client/egress.ts';
import { openEgressConfiguration } from './egress-configuration.ts';
import type { EgressSelection, EgressTransport } from './egress-configuration.ts';

/** Through which proxies connections leave; undefined: directly. */
export interface Egress {
  /** To admission webhooks and converters. */
  readonly cluster?: EgressProxy;
  /** To webhooks that authenticate, authorize and record. */
  readonly controlPlane?: EgressProxy;
}

const flag = 'egress-selector-config-file';

/** What --egress-selector-config-file says. Throws StartFailure, and ConfigError for what is not spoken here. */
export function openEgress({ upstream }: ServerConfig): Egress {
  const path = upstream?.given.get(flag)?.at(-1) ?? '';
  if (path === '') return {};
  const selections = openEgressConfiguration(path).filter(({ protocol }) => protocol !== 'Direct');
  const strange = selections.find(({ protocol, name }) => protocol === 'GRPC' || name === 'etcd');
  if (strange) {
    throw new ConfigError(
      `--${flag} ${path}: ${strange.name} by ${strange.protocol} is not spoken; write HTTPConnect for cluster or controlplane, or Direct`,
    );
  }
  const proxyOf = (name: string): EgressProxy | undefined => {
    const selection = selections.find((one) => one.name === name);
    return selection && proxy(selection);
  };
  const [cluster, controlPlane] = [proxyOf('cluster'), proxyOf('controlplane')];
  return { ...(cluster ? { cluster } : {}), ...(controlPlane ? { controlPlane } : {}) };
}

function proxy({ transport }: EgressSelection): EgressProxy {
  if (transport?.uds) {
    const { name } = transport.uds;
    return { address: name, connect: () => ({ socket: connectTcp({ path: name }), event: 'connect' }) };
  }
  const { url = '', tls }: Partial<NonNullable<EgressTransport['tcp']>> = transport?.tcp ?? {};
  const { hostname, port } = new URL(url);
  const host = bareHost(hostname);
  const target = { host, port: Number(port) || (tls ? 443 : 80) };
  const address = `${hostname}:${target.port}`;
  if (!tls) return { address, connect: () => ({ socket: connectTcp(target), event: 'connect' }) };
  const secureContext = createSecureContext({
    cert: readFlagFile(`--${flag}`, tls.clientCert),
    key: readFlagFile(`--${flag}`, tls.clientKey),
    ...(tls.caBundle === '' ? {} : { ca: readFlagFile(`--${flag}`, tls.caBundle) }),
  });
  return { address, connect: () => ({ socket: connectTls({ ...target, secureContext }), event: 'secureConnect' }) };
}
