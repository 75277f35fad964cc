import { readBackend } from '../../apiserver/admission/configuration/backend.ts';
import { askBackend } from '../../apiserver/admission/webhooks/ask-backend.ts';
import type { AskPorts } from '../../apiserver/admission/webhooks/ask-backend.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { readGoDuration } from '../../machinery/go/go-duration.ts';
import type { TokenSource } from '../../apiserver/auth/bearer-token.ts';
import { webhookTokenSource } from '../../apiserver/auth/webhook/webhook-tokens.ts';
import { readAuthenticationConfiguration } from '../compose/authentication/read-authentication-configuration.ts';
import type { Identities } from '../compose/create-api.ts';
import { modesOfFlags } from '../../adapters/config/check-authorization.ts';
import { readGoFile } from '../../adapters/config/flag-file.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { commandFailed } from '../../adapters/config/start-failure.ts';
import { clock } from './clock.ts';
import { configurationFiles } from './configuration-files.ts';

type AnonymousAccess = Pick<Identities, 'anonymousAuth' | 'anonymousPaths'>;

type AnonymousFlags = Pick<ServerConfig, 'anonymousAuth' | 'authenticationConfig' | 'authorizationMode'>;

/** Which requests without credentials are let in. Throws StartFailure. Follows kubernetes pkg/kubeapiserver/options/authentication.go. */
export function anonymousOf(config: AnonymousFlags): AnonymousAccess {
  const { anonymousAuth, authenticationConfig: path } = config;
  // Anonymous requests and AlwaysAllow together would let everybody do everything: ApplyAuthorization.
  const ofFlags = { anonymousAuth: anonymousAuth && !modesOfFlags(config).includes('AlwaysAllow') };
  if (path === '') return ofFlags;
  const failed = (error: string): string =>
    `failed to load authentication configuration from file ${goQuote(path)}: ${error}`;
  const reading = readAuthenticationConfiguration(readGoFile(path, failed), path);
  if (!reading.ok) throw commandFailed(reading.error);
  const { anonymous } = reading.value;
  if (anonymous === undefined) return ofFlags;
  if (!anonymousAuth) {
    const both =
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    throw commandFailed(`anonymous: Forbidden: ${both}`);
  }
  return { anonymousAuth: anonymous.enabled, anonymousPaths: anonymous.paths };
}

const timeoutMs = 30_000;
const retryBackoffMs = 500;
const scheme = 'k8s.io/apiserver/plugin/pkg/authenticator/token/webhook/webhook.go:201';

/** The webhook that knows tokens, if there is one. Throws StartFailure. */
export function webhookTokens(
  config: ServerConfig,
  apiAudiences: readonly string[],
  ports: AskPorts,
): readonly TokenSource[] {
  const { authenticationTokenWebhookConfigFile: path, authenticationTokenWebhookVersion: said } = config;
  if (path === '') return [];
  const reading = readBackend(path, configurationFiles);
  if (!reading.ok) throw commandFailed(reading.error);
  const version = said || 'v1beta1';
  if (version !== 'v1' && version !== 'v1beta1') {
    const supported = 'supported versions are "v1", "v1beta1"';
    throw commandFailed(`unsupported authentication webhook version ${goQuote(version)}, ${supported}`);
  }
  const cachedMs = readGoDuration(config.authenticationTokenWebhookCacheTtl || '2m') ?? 0;
  const asked = { name: 'token-webhook', backend: reading.value, scheme, timeoutMs, retryBackoffMs };
  const ask = (review: Parameters<typeof askBackend>[0]['review']) => askBackend({ ...asked, review }, ports);
  return [webhookTokenSource({ version, cachedMs, apiAudiences }, { ask, now: clock.now })];
}
