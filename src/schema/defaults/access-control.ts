import { each, inside, structDefaults } from './struct-defaults.ts';

const group = 'rbac.authorization.k8s.io';

const roleRef = structDefaults({ apiGroup: (value) => value || group });

const subject = structDefaults({
  apiGroup: (value, { kind }) => value ?? (kind === 'User' || kind === 'Group' ? group : undefined),
});

/** A RoleBinding or ClusterRoleBinding. Follows kubernetes pkg/apis/rbac/v1/defaults.go SetDefaults_RoleBinding. */
export const roleBinding = structDefaults({ subjects: each(subject), roleRef: inside(roleRef) });
