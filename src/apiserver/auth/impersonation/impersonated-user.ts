import { unescapeUrl } from '../../../machinery/go/go-url.ts';
import { append, setOwn } from '../../../machinery/json/json.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import type { AuthorizationQuestion } from '../authorizer.ts';
import { parseServiceAccountUsername, type UserInfo } from '../user.ts';

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * undefined without Impersonate headers; 400 for groups or extra without a user. Follows apiserver
 * pkg/endpoints/filters/impersonation/constrained_impersonation.go.
 */
export function readImpersonatedUser(headers: RequestHeaders): Result<UserInfo | undefined> {
  if (!mentionsImpersonation(headers)) return ok(undefined);
  const user: UserInfo = {
    username: valuesOf(headers, 'impersonate-user')[0] ?? '',
    uid: valuesOf(headers, 'impersonate-uid')[0] ?? '',
    groups: valuesOf(headers, 'impersonate-group'),
    extra: extraOf(headers),
  };
  if (user.username !== '') return ok(user);
  if (user.uid === '' && user.groups.length === 0 && Object.keys(user.extra).length === 0) return ok(undefined);
  return refuse(badRequest(`requested ${goText(user)} without impersonating a user name`));
}

/** A fast path for most requests. */
function mentionsImpersonation(headers: RequestHeaders): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

function valuesOf(headers: RequestHeaders, name: string): readonly string[] {
  const value = headers[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

const extraPrefix = 'impersonate-extra-';

function extraOf(headers: RequestHeaders): UserInfo['extra'] {
  const extra: Record<string, string[]> = {};
  for (const header of Object.keys(headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = extraKey(header);
    const before = Object.hasOwn(extra, key) ? extra[key] : undefined;
    if (before) append(before, valuesOf(headers, header));
    else setOwn(extra, key, [...valuesOf(headers, header)]);
  }
  return extra;
}

/** Percent-decoded if possible. */
const extraKey = (header: string): string => unescapeUrl(header.slice(extraPrefix.length));

/** As Go's %#v. */
function goText({ username, uid, groups, extra }: UserInfo): string {
  const keys = Object.keys(extra).toSorted();
  const values = keys.map((key) => `${goQuote(key)}:${listText(extra[key] ?? [])}`);
  const extras = keys.length === 0 ? '(nil)' : `{${values.join(', ')}}`;
  const groupTexts = groups.length === 0 ? '[]string(nil)' : listText(groups);
  return `&user.DefaultInfo{Name:${goQuote(username)}, UID:${goQuote(uid)}, Groups:${groupTexts}, Extra:map[string][]string${extras}}`;
}

const listText = (texts: readonly string[]): string => `[]string{${texts.map(goQuote).join(', ')}}`;

/** All modes but the legacy one check first whether the requester may do this very action on behalf of others. */
export interface ImpersonationMode {
  readonly name: 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';
  readonly supports: (wanted: UserInfo, requester: UserInfo) => boolean;
  readonly toQuestion: <Question extends AuthorizationQuestion>(question: Question) => Question;
}

const unchangedQuestion: ImpersonationMode['toQuestion'] = (question) => question;

/** In upstream's order. Follows apiserver pkg/endpoints/filters/impersonation/mode.go. */
export const impersonationModes: readonly ImpersonationMode[] = [
  { name: 'associated-node', supports: isOwnNode, toQuestion: withoutNodeOfRequester },
  {
    name: 'arbitrary-node',
    supports: (wanted) => hasOnlyName(wanted) && isNode(wanted),
    toQuestion: unchangedQuestion,
  },
  {
    name: 'serviceaccount',
    supports: (wanted) => hasOnlyName(wanted) && isServiceAccount(wanted),
    toQuestion: unchangedQuestion,
  },
  {
    name: 'user-info',
    supports: (wanted) => !isNode(wanted) && !isServiceAccount(wanted),
    toQuestion: unchangedQuestion,
  },
  { name: 'legacy', supports: () => true, toQuestion: unchangedQuestion },
];

const nodePrefix = 'system:node:';

/** undefined for a name that is no kubelet's. */
export function nodeOfUsername(username: string): string | undefined {
  if (!username.startsWith(nodePrefix)) return undefined;
  const name = username.slice(nodePrefix.length);
  return dns1123Subdomain(name).length === 0 ? name : undefined;
}

const isNode = ({ username }: UserInfo): boolean => nodeOfUsername(username) !== undefined;

const isServiceAccount = ({ username }: UserInfo): boolean => parseServiceAccountUsername(username) !== undefined;

const hasOnlyName = ({ uid, groups, extra }: UserInfo): boolean =>
  uid === '' && groups.length === 0 && Object.keys(extra).length === 0;

const nodeNameKey = 'authentication.kubernetes.io/node-name';

/** The token of the ServiceAccount belongs to a Pod on that node. */
function isOwnNode(wanted: UserInfo, requester: UserInfo): boolean {
  const node = nodeOfUsername(wanted.username);
  const own = Object.hasOwn(requester.extra, nodeNameKey) ? (requester.extra[nodeNameKey] ?? []) : [];
  return hasOnlyName(wanted) && isServiceAccount(requester) && own.length === 1 && own[0] === node;
}

/** Equal for every node, so that one decision covers all: the name is a star, extra values are dropped. */
function withoutNodeOfRequester<Question extends AuthorizationQuestion>(question: Question): Question {
  const keys = Object.keys(question.user.extra).toSorted();
  const user = { ...question.user, extra: { 'authentication.kubernetes.io/associated-node-keys': keys } };
  return question.verb === 'impersonate:associated-node' ? { ...question, user, name: '*' } : { ...question, user };
}
