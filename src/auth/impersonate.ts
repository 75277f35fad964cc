import { badRequest } from '../apimachinery/status.ts';
import { setOwn } from '../apimachinery/json.ts';
import { ok, refuse } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import type { Authorize, ResourceQuestion } from './authorizer.ts';
import { notAllowed } from './forbidden.ts';
import { groupsOfServiceAccount, parseServiceAccountUsername, serviceAccountUsername } from './service-account-user.ts';
import { allAuthenticated, allUnauthenticated, anonymousName } from './user.ts';
import type { UserInfo } from './user.ts';

/** Header names in lower case; repeated impersonation headers as lists. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One thing the requester wants to be, and must be allowed to. */
interface Wanted {
  readonly kind: 'ServiceAccount' | 'User' | 'Group' | 'UserExtra' | 'UID';
  readonly namespace: string;
  readonly name: string;
  readonly extraKey: string;
}

/**
 * The user to go on as: the one the Impersonate headers name, if every part of it may be impersonated, else the
 * requester. Parts are checked in the order user, groups, extra, uid. Follows apiserver
 * pkg/endpoints/filters/impersonation/impersonation.go.
 */
export function impersonate(requester: UserInfo, headers: RequestHeaders, authorize: Authorize): Result<UserInfo> {
  if (!mentionsImpersonation(headers)) return ok(requester);
  const wanted = wantedBy(headers);
  if (wanted.length === 0) return ok(requester);
  if (wanted[0]?.kind !== 'User' && wanted[0]?.kind !== 'ServiceAccount') {
    const list = wanted.map(referenceText).join(' ');
    return refuse(badRequest(`requested [${list}] without impersonating a user`));
  }
  for (const one of wanted) {
    const question = questionFor(requester, one);
    const { allowed, reason } = authorize(question);
    if (!allowed) return refuse(notAllowed(question, reason));
  }
  return ok(impersonated(wanted));
}

/** Most requests do not, and are done with it here. */
function mentionsImpersonation(headers: RequestHeaders): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

const extraPrefix = 'impersonate-extra-';

function wantedBy(headers: RequestHeaders): readonly Wanted[] {
  const user = valuesOf(headers, 'impersonate-user')[0] ?? '';
  const uid = valuesOf(headers, 'impersonate-uid')[0] ?? '';
  const account = parseServiceAccountUsername(user);
  const extras = Object.keys(headers).filter((name) => name.startsWith(extraPrefix));
  return [
    ...(account ? [part('ServiceAccount', account.name, account.namespace)] : user === '' ? [] : [part('User', user)]),
    ...valuesOf(headers, 'impersonate-group').map((group) => part('Group', group)),
    ...extras.flatMap((name) => valuesOf(headers, name).map((value) => part('UserExtra', value, '', extraKey(name)))),
    ...(uid === '' ? [] : [part('UID', uid)]),
  ];
}

const part = (kind: Wanted['kind'], name: string, namespace = '', key = ''): Wanted => ({
  kind,
  name,
  namespace,
  extraKey: key,
});

function valuesOf(headers: RequestHeaders, name: string): readonly string[] {
  const value = headers[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** The key is percent-decoded if it can be. */
function extraKey(header: string): string {
  const key = header.slice(extraPrefix.length);
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** An ObjectReference as Go prints a struct: kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath. */
function referenceText({ kind, namespace, name, extraKey: key }: Wanted): string {
  const apiVersion = kind === 'UserExtra' || kind === 'UID' ? 'authentication.k8s.io/v1' : '';
  return `{${[kind, namespace, name, '', apiVersion, '', key].join(' ')}}`;
}

const resources: Readonly<Record<Wanted['kind'], string>> = {
  ServiceAccount: 'serviceaccounts',
  User: 'users',
  Group: 'groups',
  UserExtra: 'userextras',
  UID: 'uids',
};

function questionFor(user: UserInfo, { kind, namespace, name, extraKey: key }: Wanted): ResourceQuestion {
  const isAuthentication = kind === 'UserExtra' || kind === 'UID';
  return {
    type: 'resource',
    user,
    verb: 'impersonate',
    group: isAuthentication ? 'authentication.k8s.io' : '',
    version: isAuthentication ? 'v1' : '',
    resource: resources[kind],
    subresource: key,
    namespace,
    name,
  };
}

function impersonated(wanted: readonly Wanted[]): UserInfo {
  const [who] = wanted;
  const username = who?.kind === 'ServiceAccount' ? serviceAccountUsername(who) : (who?.name ?? '');
  const named = wanted.filter(({ kind }) => kind === 'Group').map(({ name }) => name);
  const groups = named.length === 0 && who?.kind === 'ServiceAccount' ? groupsOfServiceAccount(who.namespace) : named;
  const uid = wanted.find(({ kind }) => kind === 'UID')?.name ?? '';
  return { username, uid, groups: withImpliedGroup(username, groups), extra: extraOf(wanted) };
}

function extraOf(wanted: readonly Wanted[]): UserInfo['extra'] {
  const extra: Record<string, readonly string[]> = {};
  for (const { kind, name, extraKey: key } of wanted) {
    const before = Object.hasOwn(extra, key) ? (extra[key] ?? []) : [];
    if (kind === 'UserExtra') setOwn(extra, key, [...before, name]);
  }
  return extra;
}

function withImpliedGroup(username: string, groups: readonly string[]): readonly string[] {
  if (username === anonymousName) return groups.includes(allUnauthenticated) ? groups : [...groups, allUnauthenticated];
  return groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)
    ? groups
    : [...groups, allAuthenticated];
}
