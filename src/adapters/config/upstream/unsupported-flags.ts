import type { ServerConfig } from '../server-config.ts';
import type { GivenFlags } from './flag-values.ts';

/** Where users come from. */
export const userAdvice = 'create users with `kadmit user`, --token-auth-file or impersonation';
const modeAdvice = 'use --authorization-mode with RBAC, Node, ABAC, AlwaysAllow or AlwaysDeny';

/** Flags of kube-apiserver that decide who may do what: the server does not start instead of ignoring them. */
export const unsupportedFlags: ReadonlyMap<string, string> = new Map([
  ['authentication-token-webhook-config-file', userAdvice],
  ['authorization-config', modeAdvice],
  ['authorization-webhook-config-file', modeAdvice],
  ['oidc-issuer-url', userAdvice],
]);

/** What to use instead of the first unsupported flag; undefined without one. */
export function unsupportedFlag({ authorizationMode }: ServerConfig, given: GivenFlags): string | undefined {
  if (authorizationMode.includes('Webhook')) return `--authorization-mode Webhook is not supported: ${modeAdvice}`;
  for (const [name, advice] of unsupportedFlags) {
    if ((given.get(name)?.at(-1) ?? '') !== '') return `--${name} is not supported: ${advice}`;
  }
  return undefined;
}
