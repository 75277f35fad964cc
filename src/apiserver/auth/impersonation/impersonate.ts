import { fieldErrorText, goQuote } from '../../../machinery/meta/field-error.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import { prefixedPathErrors } from '../../../machinery/meta/names.ts';
import { type AuthorizationQuestion, type Authorize, type ResourceQuestion, forbiddenRequest } from '../authorizer.ts';
import {
  allAuthenticated,
  allUnauthenticated,
  anonymousName,
  groupsOfServiceAccount,
  parseServiceAccountUsername,
  type UserInfo,
} from '../user.ts';
import {
  type ImpersonationMode,
  impersonationModes,
  nodeOfUsername,
  type RequestHeaders,
  readImpersonatedUser,
} from './impersonated-user.ts';

export interface Impersonated {
  readonly user: UserInfo;
  /** `impersonate:user-info`; absent for `impersonate` itself. */
  readonly constraint?: string;
}

/** `attributes` is the request's own authorization question. */
export type Impersonate = (attributes: AuthorizationQuestion, headers: RequestHeaders) => Result<Impersonated>;

/**
 * Tries the requester's last successful mode first. Follows apiserver
 * pkg/endpoints/filters/impersonation/constrained_impersonation.go, without its caches of ten seconds.
 */
export function createImpersonate(authorize: Authorize): Impersonate {
  const lastModes = createLastModes();
  return (attributes, headers) => {
    const wanted = readImpersonatedUser(headers);
    if (!wanted.ok) return wanted;
    const requester = attributes.user;
    if (!wanted.value) return ok({ user: requester });
    const mode = chooseMode(wanted.value, attributes, lastModes.inOrder(requester.username), authorize);
    if (!mode.ok) return mode;
    lastModes.remember(requester.username, mode.value);
    const { name } = mode.value;
    const constraint = name === 'legacy' ? {} : { constraint: `impersonate:${name}` };
    return ok({ user: impersonatedUser(wanted.value, mode.value), ...constraint });
  };
}

/** The first mode that allows it. */
function chooseMode(
  wanted: UserInfo,
  attributes: AuthorizationQuestion,
  modes: readonly ImpersonationMode[],
  authorize: Authorize,
): Result<ImpersonationMode> {
  let refusal: Status | undefined;
  for (const mode of modes) {
    if (!mode.supports(wanted, attributes.user)) continue;
    const answer = authorizeInMode(wanted, attributes, mode, authorize);
    if (answer.ok) return ok(mode);
    refusal ??= answer.status;
  }
  return refuse(refusal ?? forbiddenRequest(attributes, 'all impersonation modes failed'));
}

function authorizeInMode(
  wanted: UserInfo,
  attributes: AuthorizationQuestion,
  mode: ImpersonationMode,
  authorize: Authorize,
): Result<undefined> {
  if (mode.name !== 'legacy') {
    const question = mode.toQuestion({ ...attributes, verb: `impersonate-on:${mode.name}:${attributes.verb}` });
    const { allowed, reason } = authorize(question);
    if (!allowed) return refuse(forbiddenRequest(question, reason));
  }
  return authorizeUser(wanted, attributes.user, mode, authorize);
}

function impersonatedUser(wanted: UserInfo, { name }: ImpersonationMode): UserInfo {
  const account = parseServiceAccountUsername(wanted.username);
  const isNode = name !== 'legacy' && nodeOfUsername(wanted.username) !== undefined;
  const own = account && wanted.groups.length === 0 ? groupsOfServiceAccount(account.namespace) : wanted.groups;
  return { ...wanted, groups: withImpliedGroup(wanted.username, isNode ? ['system:nodes'] : own) };
}

function withImpliedGroup(username: string, groups: readonly string[]): readonly string[] {
  if (username === anonymousName) return groups.includes(allUnauthenticated) ? groups : [...groups, allUnauthenticated];
  return groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)
    ? groups
    : [...groups, allAuthenticated];
}

const maxRequesters = 10_000;

/** The last successful mode by requester. */
function createLastModes() {
  const last = new Map<string, ImpersonationMode>();
  return {
    inOrder: (username: string): readonly ImpersonationMode[] => {
      const first = last.get(username);
      return first ? [first, ...impersonationModes.filter((mode) => mode !== first)] : impersonationModes;
    },
    remember: (username: string, mode: ImpersonationMode): void => {
      last.delete(username);
      last.set(username, mode);
      const [oldest] = last.size > maxRequesters ? last.keys() : [];
      if (oldest !== undefined) last.delete(oldest);
    },
  };
}

/**
 * Checks name, uid, each group and each extra value; the first denial ends it. Follows apiserver
 * pkg/endpoints/filters/impersonation/mode.go.
 */
function authorizeUser(
  wanted: UserInfo,
  requester: UserInfo,
  { name: mode, toQuestion: put }: ImpersonationMode,
  authorize: Authorize,
): Result<undefined> {
  const isLegacy = mode === 'legacy';
  const verb = isLegacy ? 'impersonate' : `impersonate:${mode}`;
  const about = (part: Partial<ResourceQuestion>): ResourceQuestion => ({
    ...ofAuthentication,
    user: requester,
    verb,
    ...part,
  });
  const ofUsers = isLegacy ? { group: '' } : {};
  const authorizePart = (part: Partial<ResourceQuestion>): Result<undefined> => {
    const question = put(about(part));
    const { allowed, reason } = authorize(question);
    return allowed ? ok(undefined) : refuse(forbiddenRequest(question, reason));
  };
  const refused = (part: Partial<ResourceQuestion>, why: string): Result<undefined> =>
    refuse(forbiddenRequest(about(part), why));
  const parts = [
    { ...ofUsers, ...nameQuestion(wanted.username, isLegacy) },
    ...(wanted.uid === '' ? [] : [{ resource: 'uids', name: wanted.uid }]),
  ];
  for (const part of parts) {
    const answer = authorizePart(part);
    if (!answer.ok) return answer;
  }
  const groups = { ...ofUsers, resource: 'groups' };
  const badGroup = isLegacy ? undefined : forbiddenGroup(wanted.groups);
  if (badGroup) return refused({ ...groups, name: badGroup.name }, badGroup.why);
  const ofGroups = authorizeEach(
    wanted.groups.map((name) => ({ ...groups, name })),
    { ...groups, name: '*' },
    isLegacy,
    authorizePart,
  );
  if (!ofGroups.ok) return ofGroups;
  const badExtra = isLegacy ? undefined : forbiddenExtra(wanted.extra);
  if (badExtra !== undefined) return refused({ resource: 'userextras' }, badExtra);
  const values = Object.entries(wanted.extra).flatMap(([subresource, names]) =>
    names.map((name) => ({ resource: 'userextras', subresource, name })),
  );
  return authorizeEach(values, { resource: 'userextras', subresource: '*', name: '*' }, isLegacy, authorizePart);
}

const ofAuthentication = {
  type: 'resource',
  group: 'authentication.k8s.io',
  version: 'v1',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
} as const;

function nameQuestion(username: string, isLegacy: boolean): Partial<ResourceQuestion> {
  const account = parseServiceAccountUsername(username);
  if (account) return { resource: 'serviceaccounts', ...account };
  const node = isLegacy ? undefined : nodeOfUsername(username);
  return node === undefined ? { resource: 'users', name: username } : { resource: 'nodes', name: node };
}

/** From this number on a wildcard check comes first. */
const many = 4;

function authorizeEach(
  parts: readonly Partial<ResourceQuestion>[],
  all: Partial<ResourceQuestion>,
  isLegacy: boolean,
  authorizePart: (part: Partial<ResourceQuestion>) => Result<undefined>,
): Result<undefined> {
  if (!isLegacy && parts.length >= many && authorizePart(all).ok) return ok(undefined);
  for (const part of parts) {
    const answer = authorizePart(part);
    if (!answer.ok) return answer;
  }
  return ok(undefined);
}

function forbiddenGroup(groups: readonly string[]): { readonly name: string; readonly why: string } | undefined {
  if (groups.includes('')) return { name: '', why: 'impersonating the empty string group is not allowed' };
  const privileged = 'system:masters';
  if (!groups.includes(privileged)) return undefined;
  return { name: privileged, why: `impersonating the ${privileged} group is not allowed` };
}

function forbiddenExtra(extra: UserInfo['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const errors = prefixedPathErrors('extra.key', key).map(fieldErrorText);
    const all = errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`;
    if (errors.length > 0) return `impersonating an invalid key in extra is not allowed: ${all}`;
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}
