import { each, inside, structDefaults } from './struct-defaults.ts';
import type { StructName } from '../types/with-fields.ts';

const group = 'rbac.authorization.k8s.io';

const roleRef = structDefaults('rbac.v1.RoleRef', { apiGroup: (value) => value || group });

const subject = structDefaults('rbac.v1.Subject', {
  apiGroup: (value, { kind }) => value ?? (kind === 'User' || kind === 'Group' ? group : undefined),
});

const binding = (name: StructName) => structDefaults(name, { subjects: each(subject), roleRef: inside(roleRef) });

/** Follows kubernetes pkg/apis/rbac/v1/defaults.go SetDefaults_RoleBinding. */
export const roleBinding = binding('rbac.v1.RoleBinding');

export const clusterRoleBinding = binding('rbac.v1.ClusterRoleBinding');
