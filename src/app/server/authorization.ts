import { readFlagFile } from '../../adapters/config/read-files.ts';
import { checkAuthorization, modesOfFlags } from '../../adapters/config/start-problem.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { type AbacPolicy, readAbacPolicies } from '../../apiserver/auth/abac-authorizer.ts';
import type { Authorization } from '../compose/cluster-state.ts';

/**
 * The authorizers of the flags. Throws StartFailure or ConfigError.
 * Follows kubernetes pkg/kubeapiserver/options/authorization.go.
 */
export function readAuthorization(config: ServerConfig): Authorization {
  const modes = modesOfFlags(config);
  checkAuthorization({ ...config, authorizationMode: modes });
  return { modes, policies: modes.includes('ABAC') ? readAbacPolicyFile(config) : [] };
}

/** Throws ConfigError for an unreadable policy file. */
function readAbacPolicyFile({ authorizationPolicyFile: path }: ServerConfig): readonly AbacPolicy[] {
  const reading = readAbacPolicies(readFlagFile('--authorization-policy-file', path));
  if (reading.outcome === 'read') return reading.policies;
  throw new ConfigError(`--authorization-policy-file ${path}, line ${reading.line}: not a Policy`);
}
