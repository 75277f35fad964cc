import type { AskPorts } from '../../apiserver/admission/webhooks/ask-backend.ts';
import type { Authorization, AuthorizationModes } from '../compose/ground.ts';
import { attempt } from '../../adapters/config/attempt.ts';
import { readRegularFile } from '../../machinery/files/bounded-file.ts';
import { checkAuthorization, modesOfFlags } from '../../adapters/config/check-authorization.ts';
import { readGoFile } from '../../adapters/config/flag-file.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { commandFailed } from '../../adapters/config/start-failure.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import { abacPolicies } from './abac-policies.ts';
import { authorizersOfFile, authorizersOfFlags, openAuthorizers } from './authorizers.ts';
import type { Closing } from './closing.ts';
import { watchFile } from './manifest-folder.ts';

export interface AuthorizationPorts extends AskPorts {
  readonly log: Log;
}

/**
 * Who authorizes, as flags or `--authorization-config` say; the file is read again when it changes, and what cannot be used
 * leaves the old chain in force. Throws StartFailure for what cannot be used when the server starts.
 * Follows kubernetes pkg/kubeapiserver/options/authorization.go and pkg/kubeapiserver/authorizer/reload.go.
 */
export async function openAuthorization(
  config: ServerConfig,
  { log, ...ports }: AuthorizationPorts,
  closing: Closing,
): Promise<Authorization> {
  const { authorizationConfig: path } = config;
  if (path === '') checkAuthorization({ ...config, authorizationMode: modesOfFlags(config) });
  else refuseOtherFlags(config);
  const text = path === '' ? '' : readGoFile(path);
  const reading =
    path === '' ? { ok: true as const, value: authorizersOfFlags(config) } : await authorizersOfFile(text);
  if (!reading.ok) throw commandFailed(reading.error);
  const types = reading.value.map(({ type }) => type);
  const policies = abacPolicies(config, types);
  const opened = await openAuthorizers(reading.value, ports);
  if (!opened.ok) throw commandFailed(`invalid authorization config: ${opened.error}`);
  if (path === '') return { authorizationMode: opened.value, policies };
  const current = createCurrent(opened.value);
  const mustStay = types.filter((type) => type !== 'Webhook');
  let last = text;
  const reload = async (): Promise<void> => {
    const file = attempt(() => readRegularFile(path));
    if (file.ok && file.value === last) return;
    if (file.ok) last = file.value;
    const error = file.ok ? await replace(file.value) : `open ${path}: ${file.error}`;
    if (error === undefined) log.info(0, 'reloaded authz config', { file: path });
    else log.error(`--authorization-config ${path}: the chain stays as it was read before: ${error}`);
  };
  const replace = async (changed: string): Promise<string | undefined> => {
    const authorizers = await authorizersOfFile(changed, mustStay);
    if (!authorizers.ok) return authorizers.error;
    const late = authorizers.value.find(({ type }) => lasting.has(type) && !types.includes(type));
    if (late) return `authorizer type ${late.type} is not allowed if it was not enabled at initial server startup`;
    const chain = await openAuthorizers(authorizers.value, ports);
    if (!chain.ok) return chain.error;
    current.replace(chain.value);
    return undefined;
  };
  closing.add(watchFile(path, () => void reload()).end);
  return { authorizationMode: opened.value, policies, follow: current.follow };
}

/** These have state, which is made when the server starts. */
const lasting: ReadonlySet<string> = new Set(['Node', 'ABAC', 'RBAC']);

function refuseOtherFlags(config: ServerConfig): void {
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

/** The chain that holds now, for every ground that asks. */
function createCurrent(first: AuthorizationModes): {
  readonly follow: NonNullable<Authorization['follow']>;
  readonly replace: (modes: AuthorizationModes) => void;
} {
  let modes = first;
  let told: ((changed: AuthorizationModes) => void) | undefined;
  return {
    follow: (use) => {
      told = use;
      if (modes !== first) use(modes);
    },
    replace: (changed) => {
      modes = changed;
      told?.(changed);
    },
  };
}
