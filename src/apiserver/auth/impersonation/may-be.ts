import { prefixedPathErrors } from '../../../machinery/prefixed-path.ts';
import { fieldErrorText, goQuote } from '../../../machinery/meta/field-error.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { Authorize, ResourceQuestion } from '../authorizer.ts';
import { notAllowed } from '../forbidden.ts';
import { parseServiceAccountUsername } from '../service-account-user.ts';
import type { UserInfo } from '../user.ts';
import { nodeOfUsername } from './modes.ts';
import type { ImpersonationMode } from './modes.ts';

/**
 * Checks name, uid, each group and each extra value; the first denial ends it. Follows apiserver
 * pkg/endpoints/filters/impersonation/mode.go.
 */
export async function mayBe(
  wanted: UserInfo,
  requester: UserInfo,
  { name: mode, put }: ImpersonationMode,
  authorize: Authorize,
): Promise<Result<undefined>> {
  const isLegacy = mode === 'legacy';
  const verb = isLegacy ? 'impersonate' : `impersonate:${mode}`;
  const about = (part: Partial<ResourceQuestion>): ResourceQuestion => ({
    ...ofAuthentication,
    user: requester,
    verb,
    ...part,
  });
  const ofUsers = isLegacy ? { group: '' } : {};
  const ask = async (part: Partial<ResourceQuestion>): Promise<Result<undefined>> => {
    const question = put(about(part));
    const { allowed, reason } = await authorize(question);
    return allowed ? ok(undefined) : refuse(notAllowed(question, reason));
  };
  const refused = (part: Partial<ResourceQuestion>, why: string): Result<undefined> =>
    refuse(notAllowed(about(part), why));
  const parts = [
    { ...ofUsers, ...questionOfName(wanted.username, isLegacy) },
    ...(wanted.uid === '' ? [] : [{ resource: 'uids', name: wanted.uid }]),
  ];
  for (const part of parts) {
    const answer = await ask(part);
    if (!answer.ok) return answer;
  }
  const groups = { ...ofUsers, resource: 'groups' };
  const badGroup = isLegacy ? undefined : forbiddenGroup(wanted.groups);
  if (badGroup) return refused({ ...groups, name: badGroup.name }, badGroup.why);
  const ofGroups = await askEach(
    wanted.groups.map((name) => ({ ...groups, name })),
    { ...groups, name: '*' },
    isLegacy,
    ask,
  );
  if (!ofGroups.ok) return ofGroups;
  const badExtra = isLegacy ? undefined : forbiddenExtra(wanted.extra);
  if (badExtra !== undefined) return refused({ resource: 'userextras' }, badExtra);
  const values = Object.entries(wanted.extra).flatMap(([subresource, names]) =>
    names.map((name) => ({ resource: 'userextras', subresource, name })),
  );
  return askEach(values, { resource: 'userextras', subresource: '*', name: '*' }, isLegacy, ask);
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

function questionOfName(username: string, isLegacy: boolean): Partial<ResourceQuestion> {
  const account = parseServiceAccountUsername(username);
  if (account) return { resource: 'serviceaccounts', ...account };
  const node = isLegacy ? undefined : nodeOfUsername(username);
  return node === undefined ? { resource: 'users', name: username } : { resource: 'nodes', name: node };
}

/** From this number on a wildcard check comes first. */
const many = 4;

async function askEach(
  parts: readonly Partial<ResourceQuestion>[],
  all: Partial<ResourceQuestion>,
  isLegacy: boolean,
  ask: (part: Partial<ResourceQuestion>) => Promise<Result<undefined>>,
): Promise<Result<undefined>> {
  if (!isLegacy && parts.length >= many && (await ask(all)).ok) return ok(undefined);
  for (const part of parts) {
    const answer = await ask(part);
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
