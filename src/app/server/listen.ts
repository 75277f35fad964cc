import type { Certificates } from '../../adapters/certificates/open-certificates.ts';
import type { AuthenticationTrust } from '../../controllers/authentication-trust.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { startListener } from '../../adapters/http/listener.ts';
import type { Listener } from '../../adapters/http/listener.ts';
import type { Handle } from '../../apiserver/request/handle.ts';
import type { Release } from '../../api/release/release.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import { clock } from './clock.ts';
import { servingOf } from './serving.ts';
import { readServingPair } from './tls-files.ts';
import { newUid } from './uid.ts';

export interface ListenerParts {
  readonly release: Release;
  readonly certificates: Certificates;
  readonly clientCas: readonly string[];
  /** `proxyCas`: PEM of the CAs of proxies that name the user in headers; '' for none. */
  readonly trust: Pick<AuthenticationTrust, 'proxyCas'>;
  readonly handle: Handle;
  readonly log: Log;
}

/** The door of a server on this machine, as its flags say. Throws StartFailure. */
export const listen = async (
  config: ServerConfig,
  { release, certificates, clientCas, trust, handle, log }: ListenerParts,
): Promise<Listener> =>
  startListener({
    tuning: await servingOf(config),
    release,
    host: config.bindAddress,
    port: config.securePort,
    tls: {
      ...(config.tlsCertFile === '' && config.tlsPrivateKeyFile === ''
        ? { cert: certificates.serving.certificate, key: certificates.serving.key }
        : readServingPair(config.tlsCertFile, config.tlsPrivateKeyFile)),
      clientCas,
      proxyCas: trust.proxyCas === '' ? [] : [trust.proxyCas],
    },
    handle,
    now: clock.now,
    newUid,
    logError: log.error,
  });
