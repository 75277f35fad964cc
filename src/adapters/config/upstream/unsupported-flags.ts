import type { ServerConfig } from '../server-config.ts';

/** Where users come from. */
export const userAdvice = 'create users with `kadmit user`, --token-auth-file or impersonation';

/** Flags of kube-apiserver that decide which requests are accepted: the server does not start instead of ignoring them. */
export const unsupportedFlags: ReadonlyMap<string, string> = new Map([['oidc-issuer-url', userAdvice]]);

/** What to use instead of the first unsupported flag; undefined without one. */
export function unsupportedFlag({ upstream }: ServerConfig): string | undefined {
  for (const [name, advice] of unsupportedFlags) {
    if ((upstream?.given.get(name)?.at(-1) ?? '') !== '') return `--${name} is not supported: ${advice}`;
  }
  return undefined;
}
