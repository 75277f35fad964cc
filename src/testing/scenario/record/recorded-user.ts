import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

/** `asOf` is undefined for kubernetes-admin. */
export interface RecordedUsers {
  readonly users: JsonObject;
  readonly asOf: (trace: Trace) => JsonValue | undefined;
}

/** Users whose groups follow from the name need no entry; a name with varying groups is inline in its steps. */
export function recordUsers(writes: readonly Trace[]): RecordedUsers {
  const users = new Map<string, JsonObject>();
  for (const { request } of writes) {
    const fields = userFields(asObject(request.user ?? {}));
    const name = asString(request.user?.['username']);
    if (name !== '' && Object.keys(fields).length > 0 && !users.has(name)) users.set(name, fields);
  }
  const asOf = ({ request }: Trace): JsonValue | undefined => {
    const user = asObject(request.user ?? {});
    const username = asString(user['username']);
    const fields = userFields(user);
    const { groups } = fields;
    if (username === '' || (username === 'kubernetes-admin' && sameJson(groups, ['system:masters']))) return undefined;
    const known = users.get(username) ?? {};
    return sameJson(known, fields) ? username : { username, ...fields };
  };
  users.delete('kubernetes-admin');
  return { users: Object.fromEntries(users), asOf };
}

/** Without groups that a server adds, and without token or certificate identities. */
function userFields({ username, uid, groups, extra }: JsonObject): JsonObject {
  const name = asString(username);
  const isAccount = name.startsWith('system:serviceaccount:');
  const own = asList(groups).filter((group) => !isServerGroup(asString(group), isAccount));
  const known = Object.entries(asObject(extra)).filter(([key]) => !key.startsWith('authentication.kubernetes.io/'));
  return {
    ...(own.length === 0 ? {} : { groups: own }),
    ...(isAccount || asString(uid) === '' ? {} : { uid: asString(uid) }),
    ...(known.length === 0 ? {} : { extra: Object.fromEntries(known) }),
  };
}

const isServerGroup = (group: string, isAccount: boolean): boolean =>
  group === 'system:authenticated' ||
  group === 'system:unauthenticated' ||
  (isAccount && group.startsWith('system:serviceaccounts'));
