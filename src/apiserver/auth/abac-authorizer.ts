import { trimRight } from '../../machinery/go/strings.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import { type JsonObject, asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { AuthorizationQuestion, Authorize } from './authorizer.ts';
import type { UserInfo } from './user.ts';

/** One line of --authorization-policy-file. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

export type AbacReading =
  | { readonly outcome: 'read'; readonly policies: readonly AbacPolicy[] }
  | { readonly outcome: 'unreadable'; readonly line: number };

const version = 'abac.authorization.kubernetes.io/v1beta1';

/** One policy per line; skips empty lines and `#` comments. Follows kubernetes pkg/auth/authorizer/abac/abac.go. */
export function readAbacPolicies(text: string): AbacReading {
  const policies: AbacPolicy[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const reading = readJson(line);
    const value = reading.outcome === 'unreadable' ? undefined : reading.json.value;
    const policy = isJsonObject(value) ? asObject(plainValue(value)) : {};
    if (policy['kind'] !== 'Policy' || policy['apiVersion'] !== version) {
      return { outcome: 'unreadable', line: index + 1 };
    }
    policies.push(readPolicy(asObject(policy['spec'])));
  }
  return { outcome: 'read', policies };
}

const readPolicy = (spec: JsonObject): AbacPolicy => ({
  user: asString(spec['user']),
  group: asString(spec['group']),
  readonly: spec['readonly'] === true,
  apiGroup: asString(spec['apiGroup']),
  resource: asString(spec['resource']),
  namespace: asString(spec['namespace']),
  nonResourcePath: asString(spec['nonResourcePath']),
});

/** Follows kubernetes pkg/auth/authorizer/abac/abac.go. */
export const createAbacAuthorizer =
  (policies: readonly AbacPolicy[]): Authorize =>
  (question) =>
    policies.some((policy) => subjectMatches(policy, question.user) && policyMatches(policy, question))
      ? { allowed: true, reason: '' }
      : { allowed: false, reason: 'No policy matched.' };

/** User and group must match where given; one of them must be given. */
export function subjectMatches({ user, group }: AbacPolicy, { username, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  const isUser = user === '' || user === '*' || user === username;
  return isUser && (group === '' || group === '*' || groups.includes(group));
}

const readVerbs = ['get', 'list', 'watch'];
const patternMatches = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;

function policyMatches(policy: AbacPolicy, question: AuthorizationQuestion): boolean {
  if (policy.readonly && !readVerbs.includes(question.verb)) return false;
  if (question.type === 'resource') {
    const { namespace, resource, group } = question;
    return (
      patternMatches(policy.namespace, namespace) &&
      patternMatches(policy.resource, resource) &&
      patternMatches(policy.apiGroup, group)
    );
  }
  const { nonResourcePath: path } = policy;
  return patternMatches(path, question.path) || (path.endsWith('*') && question.path.startsWith(trimRight(path, '*')));
}
