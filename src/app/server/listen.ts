import type { Certificates } from '../../adapters/certificates/open-certificates.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { type Listener, startListener } from '../../adapters/http/listener.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import type { Release } from '../../api/release/release.ts';
import type { Handle } from '../../apiserver/request/handle.ts';
import type { AuthenticationTrust } from '../../controllers/authentication-trust.ts';
import { clock, newUid } from './clock.ts';
import { readServingPair } from './tls-files.ts';

export interface ListenerParts {
  readonly release: Release;
  readonly certificates: Certificates;
  readonly clientCas: readonly string[];
  /** `proxyCas`: PEM of the CAs of proxies that name the user in headers; '' for none. */
  readonly trust: Pick<AuthenticationTrust, 'proxyCas'>;
  readonly handle: Handle;
  readonly log: Log;
}

/** Rejects with StartFailure. */
export const listen = async (
  config: ServerConfig,
  { release, certificates, clientCas, trust, handle, log }: ListenerParts,
): Promise<Listener> =>
  startListener({
    isHttp2: !config.disableHttp2Serving,
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
