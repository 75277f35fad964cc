import type { UserInfo } from '../user.ts';

const prefix = 'system:node:';

/**
 * '' for an unnamed member of system:nodes, undefined for other users. Follows kubernetes
 * pkg/auth/nodeidentifier/default.go.
 */
export function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  return username.startsWith(prefix) && groups.includes('system:nodes') ? username.slice(prefix.length) : undefined;
}
