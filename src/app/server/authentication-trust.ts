import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../machinery/clock.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import type { AuthenticationTrust } from '../../controllers/authentication-trust.ts';
import { readProxyCa } from './tls-files.ts';

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
