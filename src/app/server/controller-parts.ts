import { X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { issueCertificate } from '../../adapters/certificates/issue-certificate.ts';
import type { Certificates } from '../../adapters/certificates/open-certificates.ts';
import { signRequest } from '../../adapters/certificates/sign-request.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { type AuthenticationTrust, authenticationTrustController } from '../../controllers/authentication-trust.ts';
import { type IssueServing, caInjector } from '../../controllers/ca-injection/ca-injector.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ControllerParts } from '../compose/controllers.ts';
import type { ApiServer } from '../compose/create-api.ts';
import type { ServerParts } from './api-of-config.ts';
import { clock, newUid } from './clock.ts';
import { readProxyCa, trustedCas } from './tls-files.ts';

export const controllerParts = (
  api: ApiServer,
  config: ServerConfig,
  { certificates, log, trust }: Pick<ServerParts, 'certificates' | 'log'> & { readonly trust: AuthenticationTrust },
): ControllerParts => ({
  api,
  clock,
  newUid,
  rootCa: trustedCas(config, certificates),
  signRequest: (order) => signRequest(order, certificates.authority, clock.now()),
  apiControllers: [
    authenticationTrustController(trust),
    ...(config.injectCa ? [caInjector(servingFrom(certificates))] : []),
  ],
  nodes: config.nodes,
  // etcd ends Events by itself.
  eventTtl: isShared(config) ? 0 : config.eventTtl,
  ...(isShared(config) ? { identity: `${hostname()}_${newUid()}` } : {}),
  random: Math.random,
  onBug: (error) => log.error(`controllers: ${error instanceof Error ? error.stack : String(error)}`),
});

/** A year, like the server's own certificate. */
const servingLife = 365 * 24 * 60 * 60 * 1000;

const servingFrom =
  ({ authority }: Certificates): IssueServing =>
  (names) =>
    issueCertificate({
      commonName: names[0] ?? '',
      purpose: 'server',
      names,
      issuer: authority,
      notBefore: new Date(clock.now() - 60_000),
      notAfter: new Date(clock.now() + servingLife),
    });

/** Other servers may use the same storage. */
const isShared = ({ etcdServers }: ServerConfig): boolean => etcdServers.length > 0;

/** Clock skew. Follows kubernetes clusterauthenticationtrust filterExpiredCerts. */
const slackMs = 5 * 60_000;

/** The contents of extension-apiserver-authentication. Throws StartFailure for an invalid file. */
export const authenticationTrust = (
  config: ServerConfig,
  clientCas: readonly string[],
  clock: Pick<Clock, 'now'>,
): AuthenticationTrust => ({
  clientCas: clientCas.join('\n'),
  proxyCas: config.requestheaderClientCaFile === '' ? '' : readProxyCa(config.requestheaderClientCaFile),
  allowedNames: config.requestheaderAllowedNames,
  usernameHeaders: config.requestheaderUsernameHeaders,
  uidHeaders: config.requestheaderUidHeaders,
  groupHeaders: config.requestheaderGroupHeaders,
  extraHeaderPrefixes: config.requestheaderExtraHeadersPrefix,
  isExpired: (base64) => {
    const certificate = readCertificate(base64);
    return certificate === undefined || Date.parse(certificate.validTo) + slackMs <= clock.now();
  },
});

/** undefined: the ConfigMap contains something else. */
function readCertificate(base64: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}
