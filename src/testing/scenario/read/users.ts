import type { WorldUser } from '../world.ts';
import type { Located } from './located.ts';

export const readUsers = (at: Located | undefined): ReadonlyMap<string, WorldUser> =>
  new Map((at?.entries() ?? []).map(([name, field]) => [name, readUser(field, name)]));

/** A name of `users`, another user name, or a user. */
export function readAs(at: Located | undefined, users: ReadonlyMap<string, WorldUser>): WorldUser | undefined {
  if (at === undefined) return undefined;
  if (typeof at.value !== 'string') return readUser(at, '');
  return users.get(at.value) ?? { username: at.value, groups: groupsOf(at.value, []) };
}

/** check-schema.ts has checked its fields. */
function readUser(at: Located, name: string): WorldUser {
  const { username = name, groups = [], ...rest } = (at.value ?? {}) as Partial<WorldUser>;
  return { username, groups: groupsOf(username, groups), ...rest };
}

/** Adds the server's groups. Follows apiserver pkg/authentication/serviceaccount/util.go MakeGroupNames. */
function groupsOf(username: string, groups: readonly string[]): readonly string[] {
  const account = /^system:serviceaccount:(?<namespace>[^:]+):[^:]+$/.exec(username)?.groups;
  const own = account ? ['system:serviceaccounts', `system:serviceaccounts:${account['namespace'] ?? ''}`] : [];
  const authenticationGroup = username === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return [...new Set([...groups, ...own, authenticationGroup])];
}
