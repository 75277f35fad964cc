import { readBackend } from '../../apiserver/admission/configuration/backend.ts';
import type { Reading } from '../../apiserver/admission/configuration/configuration-document.ts';
import { askBackend } from '../../apiserver/admission/webhooks/ask-backend.ts';
import type { AskPorts } from '../../apiserver/admission/webhooks/ask-backend.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { readGoDuration } from '../../machinery/go/go-duration.ts';
import { createWebhookAuthorizer } from '../../apiserver/auth/webhook/webhook-authorizer.ts';
import type { AuthorizationModes } from '../compose/ground.ts';
import type {
  AuthorizerConfiguration,
  WebhookConfiguration,
} from '../compose/authorization/authorizer-configuration.ts';
import { readAuthorizationConfiguration } from '../compose/authorization/read-authorization-configuration.ts';
import { createReviewMatcher, matchesAll } from '../compose/authorization/review-matcher.ts';
import type { ConditionEngine } from '../compose/authorization/review-matcher.ts';
import { authorizersFault } from '../compose/authorization/validate-authorizers.ts';
import { modesOfFlags } from '../../adapters/config/check-authorization.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { clock } from './clock.ts';
import { configurationFiles } from './configuration-files.ts';

/** The chain that `--authorization-mode` and its sisters ask for. Follows kubernetes pkg/kubeapiserver/options/authorization.go. */
export function authorizersOfFlags(config: ServerConfig): readonly AuthorizerConfiguration[] {
  return modesOfFlags(config).map((type) =>
    type === 'Webhook'
      ? { type, name: 'default', webhook: webhookOfFlags(config) }
      : { type, name: type.toLowerCase(), webhook: undefined },
  );
}

function webhookOfFlags(config: ServerConfig): WebhookConfiguration {
  const authorizedTTL = readGoDuration(config.authorizationWebhookCacheAuthorizedTtl || '5m') ?? 0;
  const unauthorizedTTL = readGoDuration(config.authorizationWebhookCacheUnauthorizedTtl || '30s') ?? 0;
  return {
    authorizedTTL,
    cacheAuthorizedRequests: authorizedTTL !== 0,
    unauthorizedTTL,
    cacheUnauthorizedRequests: unauthorizedTTL !== 0,
    timeout: 30_000,
    subjectAccessReviewVersion: config.authorizationWebhookVersion || 'v1beta1',
    matchConditionSubjectAccessReviewVersion: '',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: config.authorizationWebhookConfigFile },
    matchConditions: [],
  };
}

/** The chain that a file asks for, or what is wrong with it; `mustStay` are the types that it cannot do without. */
export async function authorizersOfFile(
  text: string,
  mustStay: readonly string[] = [],
): Promise<Reading<readonly AuthorizerConfiguration[]>> {
  const reading = readAuthorizationConfiguration(text);
  if (!reading.ok) return { ok: false, error: `failed to load AuthorizationConfiguration from file: ${reading.error}` };
  const engine = await engineFor(reading.value);
  const expressionFault = (expression: string): string | undefined => {
    const compilation = engine?.compileReviewCondition(expression);
    return compilation?.outcome === 'failed' ? compilation.error : undefined;
  };
  const error = authorizersFault(reading.value, { files: configurationFiles, expressionFault }, mustStay);
  return error === undefined ? reading : { ok: false, error };
}

const retryBackoffMs = 500;
const scheme = 'k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go:439';

/** The chain, its webhooks ready to be asked; or why one cannot be. Follows kubernetes pkg/kubeapiserver/authorizer/reload.go. */
export async function openAuthorizers(
  authorizers: readonly AuthorizerConfiguration[],
  ports: AskPorts,
): Promise<Reading<AuthorizationModes>> {
  const engine = await engineFor(authorizers);
  const modes: AuthorizationModes[number][] = [];
  for (const { type, name, webhook } of authorizers) {
    const opened = webhook ? openWebhook(name, webhook, engine, ports) : { ok: true as const, value: type };
    if (!opened.ok) return opened;
    modes.push(opened.value);
  }
  return { ok: true, value: modes };
}

function openWebhook(
  name: string,
  configured: WebhookConfiguration,
  engine: ConditionEngine | undefined,
  ports: AskPorts,
): Reading<AuthorizationModes[number]> {
  const { connectionInfo, matchConditions, timeout: timeoutMs, subjectAccessReviewVersion: version } = configured;
  if (connectionInfo.type === 'InClusterConfig') {
    return {
      ok: false,
      error: `the webhook ${name} has a connectionInfo of type InClusterConfig, and this is no cluster`,
    };
  }
  const backend = readBackend(connectionInfo.kubeConfigFile ?? '', configurationFiles);
  if (!backend.ok) return backend;
  if (version !== 'v1' && version !== 'v1beta1') {
    const supported = 'supported versions are "v1", "v1beta1"';
    return { ok: false, error: `unsupported webhook authorizer version ${goQuote(version)}, ${supported}` };
  }
  const conditions = matchConditions.map(({ expression }) => expression);
  const how = {
    version,
    authorizedMs: configured.cacheAuthorizedRequests ? configured.authorizedTTL : 0,
    unauthorizedMs: configured.cacheUnauthorizedRequests ? configured.unauthorizedTTL : 0,
    failurePolicy: configured.failurePolicy === 'Deny' ? 'Deny' : 'NoOpinion',
    matches: engine && conditions.length > 0 ? createReviewMatcher(conditions, engine) : matchesAll,
  } as const;
  const webhook = createWebhookAuthorizer(how, {
    ask: (review) => askBackend({ name, backend: backend.value, review, scheme, timeoutMs, retryBackoffMs }, ports),
    now: clock.now,
  });
  return { ok: true, value: { webhook } };
}

/** The engine takes a moment to load: only for who has conditions. */
const engineFor = async (authorizers: readonly AuthorizerConfiguration[]): Promise<ConditionEngine | undefined> =>
  authorizers.some(({ webhook }) => webhook && webhook.matchConditions.length > 0)
    ? import('../../cel/index.ts')
    : undefined;
