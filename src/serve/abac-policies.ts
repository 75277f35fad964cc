import { readAbacPolicies } from '../auth/abac/abac-policy.ts';
import type { AbacPolicy } from '../auth/abac/abac-policy.ts';
import { ConfigError } from '../config/config-error.ts';
import { readFlagFile } from '../config/flag-file.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { commandFailed } from '../config/start-failure.ts';

/** The policies of --authorization-mode=ABAC. Throws ConfigError or StartFailure when they cannot be read. */
export function abacPolicies({
  authorizationMode,
  authorizationPolicyFile: path,
}: ServerConfig): readonly AbacPolicy[] {
  if (authorizationMode !== 'ABAC') return [];
  if (path === '') throw commandFailed("authorization-mode ABAC's authorization policy file not passed");
  const reading = readAbacPolicies(readFlagFile('--authorization-policy-file', path));
  if (reading.outcome === 'read') return reading.policies;
  throw new ConfigError(`--authorization-policy-file ${path}, line ${reading.line}: it is no Policy`);
}
