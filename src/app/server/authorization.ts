import { tryGo, readFlagFile, readGoFile, configurationFiles } from '../../adapters/config/read-files.ts';
import { checkAuthorization, modesOfFlags } from '../../adapters/config/start-problem.ts';
import { ConfigError, commandFailed } from '../../adapters/config/config-error.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import { readBackend } from '../../apiserver/admission/configuration/kubeconfig.ts';
import type { ConfigurationReading } from '../../apiserver/admission/configuration/configuration-document.ts';
import { callBackend, type BackendCallPorts } from '../../apiserver/admission/webhooks/call-backend.ts';
import { type AbacPolicy, readAbacPolicies } from '../../apiserver/auth/abac-authorizer.ts';
import { createWebhookAuthorizer } from '../../apiserver/auth/webhook/webhook-authorizer.ts';
import { readRegularFile } from '../../adapters/files/bounded-file.ts';
import { readGoDuration } from '../../machinery/go/go-duration.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import {
  type AuthorizerConfiguration,
  readAuthorizationConfiguration,
  type WebhookAuthorizerConfiguration,
} from '../compose/authorization/read-authorization-configuration.ts';
import { type ConditionEngine, createReviewMatcher, matchesAll } from '../compose/authorization/review-matcher.ts';
import { authorizersFault } from '../compose/authorization/validate-authorizers.ts';
import type { Authorization, AuthorizationModes } from '../compose/cluster-state.ts';
import { clock } from './clock.ts';
import type { Closing } from './closing.ts';
import { watchFile } from './watch-folder.ts';

export interface AuthorizationPorts extends BackendCallPorts {
  readonly log: Log;
}

/**
 * The authorizers of the flags or of `--authorization-config`. The file is read again when it changes; after an error the old
 * authorizers stay in force. Rejects with StartFailure for an error at the start.
 * Follows kubernetes pkg/kubeapiserver/options/authorization.go and pkg/kubeapiserver/authorizer/reload.go.
 */
export async function openAuthorization(
  config: ServerConfig,
  { log, ...ports }: AuthorizationPorts,
  closing: Closing,
): Promise<Authorization> {
  const { authorizationConfig: path } = config;
  if (path === '') checkAuthorization({ ...config, authorizationMode: modesOfFlags(config) });
  else rejectOtherFlags(config);
  const text = path === '' ? '' : readGoFile(path);
  const reading =
    path === '' ? { ok: true as const, value: authorizersFromFlags(config) } : await readAuthorizerFile(text);
  if (!reading.ok) throw commandFailed(reading.error);
  const types = reading.value.map(({ type }) => type);
  const policies = readAbacPolicyFile(config, types);
  const opened = await openAuthorizers(reading.value, ports);
  if (!opened.ok) throw commandFailed(`invalid authorization config: ${opened.error}`);
  if (path === '') return { authorizationMode: opened.value, policies };
  const current = createReplaceableModes(opened.value);
  const mustStay = types.filter((type) => type !== 'Webhook');
  let last = text;
  const reload = async (): Promise<void> => {
    const file = tryGo(() => readRegularFile(path));
    if (file.ok && file.value === last) return;
    if (file.ok) last = file.value;
    const error = file.ok ? await replace(file.value) : `open ${path}: ${file.error}`;
    if (error === undefined) log.info(0, 'reloaded authz config', { file: path });
    else
      log.error(`--authorization-config ${path}: cannot be reloaded, the previous authorizers stay in force: ${error}`);
  };
  const replace = async (changed: string): Promise<string | undefined> => {
    const authorizers = await readAuthorizerFile(changed, mustStay);
    if (!authorizers.ok) return authorizers.error;
    const late = authorizers.value.find(({ type }) => fixedTypes.has(type) && !types.includes(type));
    if (late) return `authorizer type ${late.type} is not allowed if it was not enabled at initial server startup`;
    const chain = await openAuthorizers(authorizers.value, ports);
    if (!chain.ok) return chain.error;
    current.replace(chain.value);
    return undefined;
  };
  closing.add(watchFile(path, () => void reload()).end);
  return { authorizationMode: opened.value, policies, follow: current.follow };
}

/** Their state is made at the start. */
const fixedTypes: ReadonlySet<string> = new Set(['Node', 'ABAC', 'RBAC']);

function rejectOtherFlags(config: ServerConfig): void {
  const others = [
    config.authorizationMode.length > 0,
    config.authorizationWebhookConfigFile !== '',
    config.authorizationWebhookVersion !== '',
    config.authorizationWebhookCacheAuthorizedTtl !== '',
    config.authorizationWebhookCacheUnauthorizedTtl !== '',
  ];
  if (!others.includes(true)) return;
  const flags = '--authorization-mode or --authorization-webhook-* flags are defined';
  throw commandFailed(`--authorization-config can not be specified when ${flags}`);
}

function createReplaceableModes(first: AuthorizationModes): {
  readonly follow: NonNullable<Authorization['follow']>;
  readonly replace: (modes: AuthorizationModes) => void;
} {
  let modes = first;
  let onChange: ((changed: AuthorizationModes) => void) | undefined;
  return {
    follow: (use) => {
      onChange = use;
      if (modes !== first) use(modes);
    },
    replace: (changed) => {
      modes = changed;
      onChange?.(changed);
    },
  };
}

/** Throws ConfigError for an unreadable policy file. */
function readAbacPolicyFile(
  { authorizationPolicyFile: path }: ServerConfig,
  types: readonly string[],
): readonly AbacPolicy[] {
  if (!types.includes('ABAC')) return [];
  const reading = readAbacPolicies(readFlagFile('--authorization-policy-file', path));
  if (reading.outcome === 'read') return reading.policies;
  throw new ConfigError(`--authorization-policy-file ${path}, line ${reading.line}: not a Policy`);
}

/** Follows kubernetes pkg/kubeapiserver/options/authorization.go. */
function authorizersFromFlags(config: ServerConfig): readonly AuthorizerConfiguration[] {
  return modesOfFlags(config).map((type) =>
    type === 'Webhook'
      ? { type, name: 'default', webhook: webhookFromFlags(config) }
      : { type, name: type.toLowerCase(), webhook: undefined },
  );
}

function webhookFromFlags(config: ServerConfig): WebhookAuthorizerConfiguration {
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

/** The authorizers of a file, or its error; `mustStay` are required types. */
export async function readAuthorizerFile(
  text: string,
  mustStay: readonly string[] = [],
): Promise<ConfigurationReading<readonly AuthorizerConfiguration[]>> {
  const reading = readAuthorizationConfiguration(text);
  if (!reading.ok) return { ok: false, error: `failed to load AuthorizationConfiguration from file: ${reading.error}` };
  const engine = await loadEngineFor(reading.value);
  const expressionFault = (expression: string): string | undefined => {
    const compilation = engine?.compileReviewCondition(expression);
    return compilation?.outcome === 'failed' ? compilation.error : undefined;
  };
  const error = authorizersFault(reading.value, { files: configurationFiles, expressionFault }, mustStay);
  return error === undefined ? reading : { ok: false, error };
}

const retryBackoffMs = 500;
const scheme = 'k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go:439';

/** Follows kubernetes pkg/kubeapiserver/authorizer/reload.go. */
async function openAuthorizers(
  authorizers: readonly AuthorizerConfiguration[],
  ports: BackendCallPorts,
): Promise<ConfigurationReading<AuthorizationModes>> {
  const engine = await loadEngineFor(authorizers);
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
  configured: WebhookAuthorizerConfiguration,
  engine: ConditionEngine | undefined,
  ports: BackendCallPorts,
): ConfigurationReading<AuthorizationModes[number]> {
  const { connectionInfo, matchConditions, timeout: timeoutMs, subjectAccessReviewVersion: version } = configured;
  if (connectionInfo.type === 'InClusterConfig') {
    return {
      ok: false,
      error: `the webhook ${name} has a connectionInfo of type InClusterConfig, and kadmit does not run in a cluster`,
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
    sendReview: (review) =>
      callBackend({ name, backend: backend.value, review, scheme, timeoutMs, retryBackoffMs }, ports),
    now: clock.now,
  });
  return { ok: true, value: { webhook } };
}

/** Loaded only for conditions. */
const loadEngineFor = async (authorizers: readonly AuthorizerConfiguration[]): Promise<ConditionEngine | undefined> =>
  authorizers.some(({ webhook }) => webhook && webhook.matchConditions.length > 0)
    ? import('../../cel/index.ts')
    : undefined;
