import type { JsonObject } from '../../machinery/json/json.ts';

/** As in AdmissionReview's `userInfo` (rule REV-3) and SelfSubjectReview. */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const anonymousName = 'system:anonymous';
export const allAuthenticated = 'system:authenticated';
export const allUnauthenticated = 'system:unauthenticated';

export function userInfoJson({ username, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

const serviceAccountPrefix = 'system:serviceaccount:';

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

export const serviceAccountUsername = ({ namespace, name }: ServiceAccountName): string =>
  `${serviceAccountPrefix}${namespace}:${name}`;

export const groupsOfServiceAccount = (namespace: string): readonly string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** undefined for other names. Follows apiserver pkg/authentication/serviceaccount/util.go. */
export function parseServiceAccountUsername(username: string): ServiceAccountName | undefined {
  if (!username.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(serviceAccountPrefix.length).split(':');
  if (more.length > 0 || !label.test(namespace) || name.length > 253 || !subdomain.test(name)) return undefined;
  return { namespace, name };
}

const nodePrefix = 'system:node:';

/**
 * '' for an unnamed member of system:nodes, undefined for other users. Follows kubernetes
 * pkg/auth/nodeidentifier/default.go.
 */
export function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  return username.startsWith(nodePrefix) && groups.includes('system:nodes')
    ? username.slice(nodePrefix.length)
    : undefined;
}
