import type { UserInfo } from '../user.ts';

const prefix = 'system:node:';

/** The node that a user is; '' for one of system:nodes that cannot be told, undefined for anybody else. Follows kubernetes pkg/auth/nodeidentifier/default.go. */
export function nodeOf({ username, groups }: UserInfo): string | undefined {
  return username.startsWith(prefix) && groups.includes('system:nodes') ? username.slice(prefix.length) : undefined;
}
