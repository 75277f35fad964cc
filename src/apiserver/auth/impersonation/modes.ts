import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import type { AuthorizationQuestion } from '../authorizer.ts';
import { parseServiceAccountUsername, type UserInfo } from '../user.ts';

/** All modes but the legacy one check first whether the requester may do this very action on behalf of others. */
export interface ImpersonationMode {
  readonly name: 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';
  readonly supports: (wanted: UserInfo, requester: UserInfo) => boolean;
  readonly put: <Question extends AuthorizationQuestion>(question: Question) => Question;
}

const asItIs: ImpersonationMode['put'] = (question) => question;

/** In upstream's order. Follows apiserver pkg/endpoints/filters/impersonation/mode.go. */
export const impersonationModes: readonly ImpersonationMode[] = [
  { name: 'associated-node', supports: isOwnNode, put: withoutNodeOfRequester },
  { name: 'arbitrary-node', supports: (wanted) => hasOnlyName(wanted) && isNode(wanted), put: asItIs },
  { name: 'serviceaccount', supports: (wanted) => hasOnlyName(wanted) && isServiceAccount(wanted), put: asItIs },
  { name: 'user-info', supports: (wanted) => !isNode(wanted) && !isServiceAccount(wanted), put: asItIs },
  { name: 'legacy', supports: () => true, put: asItIs },
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
