import { aggregateText, type AuthorizeNow } from '../authorizer.ts';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';
import type { RoleRules, RuleResolver } from './rule-resolver.ts';

const mastersGroup = 'system:masters';

/**
 * Members of system:masters may do everything. A denial names bindings without their role. Follows
 * plugin/pkg/auth/authorizer/rbac/rbac.go and apiserver pkg/authorization/authorizerfactory/builtin.go.
 */
export const createRbacAuthorizer =
  (resolver: RuleResolver): AuthorizeNow =>
  (question) => {
    if (question.user.groups.includes(mastersGroup)) return { allowed: true, reason: '' };
    const grants = resolver.grants(question.user, question.type === 'resource' ? question.namespace : '');
    const grant = grants.find(({ role }) => rulesIn(role).some((rule) => ruleAllows(rule, question)));
    if (grant) return { allowed: true, reason: `RBAC: allowed by ${grant.source()}` };
    const errors = errorsIn(grants.map(({ role }) => role));
    return { allowed: false, reason: errors === '' ? '' : `RBAC: ${errors}` };
  };

/** Follows apiserver pkg/authorization/authorizerfactory/builtin.go. */
export const alwaysAllow: AuthorizeNow = () => ({ allowed: true, reason: '' });

export const denyAll: AuthorizeNow = () => ({ allowed: false, reason: 'Everything is forbidden.' });

/** Follows kubernetes pkg/kubeapiserver/authorizer/config.go. */
export const allowMasters: AuthorizeNow = ({ user }) => ({ allowed: user.groups.includes(mastersGroup), reason: '' });

const rulesIn = (role: RoleRules): readonly PolicyRule[] => (role.outcome === 'found' ? role.rules : []);

export function errorsIn(roles: readonly RoleRules[]): string {
  return aggregateText(roles.flatMap((role) => (role.outcome === 'missing' ? [role.status.message ?? ''] : [])));
}
