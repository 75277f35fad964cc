import type { ServerConfig } from './server-config.ts';
import { commandFailed } from './config-error.ts';

type AuthorizationFlags = Pick<
  ServerConfig,
  'authorizationMode' | 'authorizationPolicyFile' | 'authorizationWebhookConfigFile'
>;

const validModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];

/** RBAC by default. */
export const modesOfFlags = ({
  authorizationMode: modes,
}: Pick<ServerConfig, 'authorizationMode'>): readonly string[] => (modes.length === 0 ? ['RBAC'] : modes);

/** Follows kubernetes pkg/kubeapiserver/options/authorization.go Validate. Throws StartFailure with its texts. */
export function checkAuthorization({
  authorizationMode: modes,
  authorizationPolicyFile,
  authorizationWebhookConfigFile: webhookFile,
}: AuthorizationFlags): void {
  const problems = [
    ...(modes.length === 0 ? ['at least one authorization-mode must be passed'] : []),
    ...modes.flatMap((mode) => [
      ...(validModes.includes(mode) ? [] : [`authorization-mode ${JSON.stringify(mode)} is not a valid mode`]),
      ...(mode === 'ABAC' && authorizationPolicyFile === ''
        ? ["authorization-mode ABAC's authorization policy file not passed"]
        : []),
      ...(mode === 'Webhook' && webhookFile === ''
        ? ["authorization-mode Webhook's authorization config file not passed"]
        : []),
    ]),
    ...(authorizationPolicyFile !== '' && !modes.includes('ABAC')
      ? ['cannot specify --authorization-policy-file without mode ABAC']
      : []),
    ...(webhookFile !== '' && !modes.includes('Webhook')
      ? ['cannot specify --authorization-webhook-config-file without mode Webhook']
      : []),
    ...(new Set(modes).size < modes.length
      ? [
          `authorization-mode [${modes.map((mode) => JSON.stringify(mode)).join(' ')}] has mode specified more than once`,
        ]
      : []),
  ];
  if (problems.length === 0) return;
  throw commandFailed(problems.length === 1 ? String(problems[0]) : `[${problems.join(', ')}]`);
}
