import { readAbacPolicies } from '../../apiserver/auth/abac/abac-policy.ts';
import type { AbacPolicy } from '../../apiserver/auth/abac/abac-policy.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { readFlagFile } from '../../adapters/config/flag-file.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';

/** The policies of ABAC, when it is among these authorizers. Throws ConfigError when they cannot be read. */
export function abacPolicies(
  { authorizationPolicyFile: path }: ServerConfig,
  types: readonly string[],
): readonly AbacPolicy[] {
  if (!types.includes('ABAC')) return [];
  const reading = readAbacPolicies(readFlagFile('--authorization-policy-file', path));
  if (reading.outcome === 'read') return reading.policies;
  throw new ConfigError(`--authorization-policy-file ${path}, line ${reading.line}: it is no Policy`);
}
