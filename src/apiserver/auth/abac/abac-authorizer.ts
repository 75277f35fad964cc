import { trimRight } from '../../../machinery/go/trim.ts';
import type { AuthorizationQuestion, AuthorizeNow } from '../authorizer.ts';
import type { UserInfo } from '../user.ts';
import type { AbacPolicy } from './abac-policy.ts';

/** Follows kubernetes pkg/auth/authorizer/abac/abac.go. */
export const createAbacAuthorizer =
  (policies: readonly AbacPolicy[]): AuthorizeNow =>
  (question) =>
    policies.some((policy) => isMeant(policy, question.user) && covers(policy, question))
      ? { allowed: true, reason: '' }
      : { allowed: false, reason: 'No policy matched.' };

/** User and group must match where given; one of them must be given. */
export function isMeant({ user, group }: AbacPolicy, { username, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  const isUser = user === '' || user === '*' || user === username;
  return isUser && (group === '' || group === '*' || groups.includes(group));
}

const readVerbs = ['get', 'list', 'watch'];
const fits = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;

function covers(policy: AbacPolicy, question: AuthorizationQuestion): boolean {
  if (policy.readonly && !readVerbs.includes(question.verb)) return false;
  if (question.type === 'resource') {
    const { namespace, resource, group } = question;
    return fits(policy.namespace, namespace) && fits(policy.resource, resource) && fits(policy.apiGroup, group);
  }
  const { nonResourcePath: path } = policy;
  return fits(path, question.path) || (path.endsWith('*') && question.path.startsWith(trimRight(path, '*')));
}
