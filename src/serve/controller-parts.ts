import { hostname } from 'node:os';
import type { Certificates } from '../certs/open-certificates.ts';
import { trustedBundle } from '../certs/trusted-bundle.ts';
import type { ControllerParts } from '../cluster/controllers.ts';
import type { World } from '../cluster/create-api.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { keepAuthenticationTrust } from '../controllers/authentication-trust.ts';
import type { AuthenticationTrust } from '../controllers/authentication-trust.ts';
import { pause } from '../http/pause.ts';
import type { ServerParts } from './api-of-config.ts';
import { clock } from './clock.ts';
import { newUid } from './uid.ts';
import { readServingPair } from './tls-files.ts';

/** What the controllers of a server on this machine work with. */
export const controllerParts = (
  world: World,
  config: ServerConfig,
  {
    certificates,
    observing,
    trust,
  }: Pick<ServerParts, 'certificates' | 'observing'> & {
    readonly trust: AuthenticationTrust;
  },
): ControllerParts => ({
  world,
  clock,
  newUid,
  rootCa: trusted(config, certificates),
  keepers: [keepAuthenticationTrust(trust)],
  pause,
  nodes: config.nodes,
  // etcd ends Events by itself.
  eventTtl: isShared(config) ? 0 : config.eventTtl,
  ...(isShared(config) ? { identity: `${hostname()}_${newUid()}` } : {}),
  stages: config.stages,
  random: Math.random,
  onBug: (error) => observing.logError(`controllers: ${error instanceof Error ? error.stack : String(error)}`),
});

/** Others may be on the same storage. */
const isShared = ({ etcdServers }: ServerConfig): boolean => etcdServers.length > 0;

/** What clients trust the server by. */
export const trusted = (
  { tlsCertFile: cert, tlsPrivateKeyFile: key }: ServerConfig,
  { authority }: Certificates,
): string => trustedBundle(authority.certificate, cert === '' ? '' : readServingPair(cert, key).cert);
