import { X509Certificate } from 'node:crypto';
import type { SecureVersion } from 'node:tls';
import type { Certificates } from '../../adapters/certificates/open-certificates.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { commandFailed } from '../../adapters/config/config-error.ts';
import { defaultOptions } from '../../adapters/config/upstream/options.ts';
import type { ListenerTuning, ServingPair } from '../../adapters/http/create-app.ts';
import { type Listener, startListener } from '../../adapters/http/listener.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import type { Release } from '../../api/release/release.ts';
import type { Handle } from '../../apiserver/request/handle.ts';
import type { AuthenticationTrust } from '../../controllers/authentication-trust.ts';
import { errorText } from '../../machinery/errors.ts';
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
    tuning: await readListenerTuning(config),
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

const corsHelp =
  "List of allowed origins for CORS, comma separated. An allowed origin can be a regular expression to support subdomain matching. If this list is empty CORS will not be enabled. Please ensure each expression matches the entire hostname by anchoring to the start with '^' or including the '//' prefix, and by anchoring to the end with '$' or including the ':' port separator suffix. Examples of valid expressions are '//example\\.com(:|$)' and '^https://example\\.com(:|$)'";

/** TLS, HTTP/2, CORS and response headers. Rejects with StartFailure. */
export async function readListenerTuning({ upstream = defaultOptions }: ServerConfig): Promise<ListenerTuning> {
  const { list, number, bool, text } = upstream;
  return {
    minVersion: parseTlsVersion(text['tls-min-version']),
    ciphers: parseCiphers(list['tls-cipher-suites']),
    named: readNamedPairs(list['tls-sni-cert-key']),
    isHttp2: !bool['disable-http2-serving'],
    maxStreams: number['http2-max-streams-per-connection'],
    isLastOfItsConnection: () => number['goaway-chance'] > 0 && Math.random() < number['goaway-chance'],
    responses: {
      transportSecurity: list['strict-transport-security-directives'],
      isOriginAllowed: await compileOrigins(list['cors-allowed-origins']),
    },
  };
}

/** Follows apiserver pkg/server/options/server_run_options.go validateCorsAllowedOriginList. */
async function compileOrigins(patterns: readonly string[]): Promise<(origin: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { RE2JS } = await import('re2js');
  const expressions = patterns.map((pattern) => {
    const refuse = (why: string): never => {
      throw commandFailed(`--cors-allowed-origins has an invalid regular expression: ${why}, help: ${corsHelp}`);
    };
    const isPinned = /\^|\/\//.test(pattern) && /[$:]/.test(pattern);
    try {
      const compiled = RE2JS.compile(pattern);
      return isPinned ? compiled : refuse('regular expression does not pin to start/end of host in the origin header');
    } catch (error) {
      if (error instanceof Error && 'exitCode' in error) throw error;
      return refuse(errorText(error));
    }
  });
  return (origin) => expressions.some((expression) => expression.matcher(origin).find());
}

const versions: Readonly<Record<string, SecureVersion>> = {
  '': 'TLSv1.2',
  VersionTLS10: 'TLSv1.2',
  VersionTLS11: 'TLSv1.2',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

/** TLS 1.2 is the oldest supported version. Follows component-base cli/flag/ciphersuites_flag.go. */
function parseTlsVersion(text: string): SecureVersion {
  const version = versions[text];
  if (version === undefined) throw commandFailed(`unknown tls version ${JSON.stringify(text)}`);
  return version;
}

function parseCiphers(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const known = names.map((name) => {
    const cipher = cipherSuites.get(name);
    if (cipher === undefined) throw commandFailed(`Cipher suite ${name} not supported or doesn't exist`);
    return cipher;
  });
  const older = known.filter((name) => name !== '' && !name.startsWith('TLS_'));
  // Suites of TLS 1.3 cannot be chosen, as in Go.
  const newer = 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256';
  return [newer, ...older].join(':');
}

/** Other certificates by names. Follows apiserver pkg/server/dynamiccertificates/named_certificates.go. */
function readNamedPairs(pairs: readonly string[]): ReadonlyMap<string, ServingPair> {
  const named = new Map<string, ServingPair>();
  // The first on the command line takes precedence.
  for (const pair of pairs.toReversed()) {
    const [files = '', names = ''] = pair.split(/:(.*)/s);
    const [certFile = '', keyFile = ''] = files.split(',').map((file) => file.trim());
    const read = readServingPair(certFile, keyFile, (error) => `failed to load SNI cert and key: ${error}`);
    const hosts = names === '' ? certificateNames(read.cert) : names.split(',').map((name) => name.trim());
    for (const name of hosts) named.set(name, read);
  }
  return named;
}

function certificateNames(pem: string): readonly string[] {
  const { subject, subjectAltName = '' } = new X509Certificate(pem);
  const names = subjectAltName.split(', ').map((entry) => entry.replace(/^(?:DNS|IP Address):/, ''));
  const common = /(?:^|\n)CN=([^\n]*)/.exec(subject)?.[1];
  return [...(common === undefined ? [] : [common]), ...names.filter((name) => name !== '')];
}

/** From IANA's names of cipher suites to OpenSSL's; '' for one that OpenSSL has removed. */
const cipherSuites: ReadonlyMap<string, string> = new Map([
  ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ['TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
  ['TLS_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'ECDHE-ECDSA-AES128-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_RC4_128_SHA', ''],
  ['TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA', ''],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 'ECDHE-RSA-AES128-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_RC4_128_SHA', ''],
  ['TLS_RSA_WITH_3DES_EDE_CBC_SHA', ''],
  ['TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA256', 'AES128-SHA256'],
  ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ['TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'],
  ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
  ['TLS_RSA_WITH_RC4_128_SHA', ''],
]);
