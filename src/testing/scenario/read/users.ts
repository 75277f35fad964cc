import { asObject } from '../../../machinery/json/json.ts';
import type { WorldUser } from '../world.ts';
import type { Located } from './located.ts';
import { scalarText } from './scalar-text.ts';

export const readUsers = (at: Located | undefined): ReadonlyMap<string, WorldUser> =>
  new Map((at?.entries() ?? []).map(([name, field]) => [name, readUser(field, name)]));

/** A name of `users`, another user name, or a user. */
export function readAs(at: Located | undefined, users: ReadonlyMap<string, WorldUser>): WorldUser | undefined {
  if (at === undefined) return undefined;
  if (typeof at.value !== 'string') return readUser(at, '');
  return users.get(at.value) ?? { username: at.value, groups: groupsOf(at.value, []) };
}

function readUser(at: Located, name: string): WorldUser {
  const { username = name, uid, groups, extra } = asObject(at.value);
  return {
    username: scalarText(username),
    groups: groupsOf(scalarText(username), Array.isArray(groups) ? groups.map(scalarText) : []),
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(extra === undefined ? {} : { extra: readExtra(at.get('extra')) }),
  };
}

const readExtra = (at: Located | undefined): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    (at?.entries() ?? []).map(([key, field]) => [key, field.items().map(({ value }) => scalarText(value))]),
  );

/** Adds the server's groups. Follows apiserver pkg/authentication/serviceaccount/util.go MakeGroupNames. */
function groupsOf(username: string, groups: readonly string[]): readonly string[] {
  const account = /^system:serviceaccount:(?<namespace>[^:]+):[^:]+$/.exec(username)?.groups;
  const own = account ? ['system:serviceaccounts', `system:serviceaccounts:${account['namespace'] ?? ''}`] : [];
  const everybody = username === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return [...new Set([...groups, ...own, everybody])];
}
