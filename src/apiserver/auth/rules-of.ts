import { aggregateText } from '../../machinery/errors.ts';
import { type AbacPolicy, subjectMatches } from './abac-authorizer.ts';
import { nodeNameOf, type UserInfo } from './user.ts';
import type { PolicyRule } from './rbac/policy-rule.ts';
import { resolutionErrors, type RuleResolver } from './rbac/rule-resolver.ts';

export interface ListedRules {
  readonly rules: readonly PolicyRule[];
  readonly incomplete: boolean;
  readonly errors: readonly string[];
}

/** Follows apiserver pkg/authorization/authorizer/interfaces.go RuleResolver. */
export type RulesOf = (user: UserInfo, namespace: string) => ListedRules;

const emptyRules: ListedRules = Object.freeze({ rules: [], incomplete: false, errors: [] });
const noRule: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

export const noRules: RulesOf = () => emptyRules;

/** Follows apiserver pkg/authorization/authorizerfactory/builtin.go. */
export const allRules: RulesOf = () => ({
  ...emptyRules,
  rules: [
    { ...noRule, verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { ...noRule, verbs: ['*'], nonResourceURLs: ['*'] },
  ],
});

/** Follows kubernetes plugin/pkg/auth/authorizer/rbac/rbac.go. */
export const rbacRules =
  (resolver: RuleResolver): RulesOf =>
  (user, namespace) => {
    const roles = resolver.grants(user, namespace).map(({ role }) => role);
    const error = resolutionErrors(roles);
    const rules = roles.flatMap((role) => (role.outcome === 'found' ? role.rules : []));
    return { rules, incomplete: false, errors: error === '' ? [] : [error] };
  };

/** Follows kubernetes pkg/auth/authorizer/abac/abac.go. */
export const abacRules =
  (policies: readonly AbacPolicy[]): RulesOf =>
  (user, namespace) => ({
    ...emptyRules,
    rules: policies
      .filter((policy) => subjectMatches(policy, user) && (policy.namespace === '*' || policy.namespace === namespace))
      .flatMap(({ readonly, apiGroup, resource, nonResourcePath }) => {
        const verbs = readonly ? ['get', 'list', 'watch'] : ['*'];
        return [
          ...(resource === '' ? [] : [{ ...noRule, verbs, apiGroups: [apiGroup], resources: [resource] }]),
          ...(nonResourcePath === '' ? [] : [{ ...noRule, verbs, nonResourceURLs: [nonResourcePath] }]),
        ];
      }),
  });

/** Follows kubernetes plugin/pkg/auth/authorizer/node/node_authorizer.go. */
export const nodeRules: RulesOf = (user) =>
  nodeNameOf(user) === undefined
    ? emptyRules
    : { rules: [], incomplete: true, errors: ['node authorizer does not support user rule resolution'] };

export const unionRules =
  (lists: readonly RulesOf[]): RulesOf =>
  (user, namespace) => {
    const listed = lists.map((list) => list(user, namespace));
    const errors = listed.flatMap((one) => one.errors);
    return {
      rules: listed.flatMap(({ rules }) => rules),
      incomplete: listed.some(({ incomplete }) => incomplete),
      errors: errors.length === 0 ? [] : [aggregateText(errors)],
    };
  };
