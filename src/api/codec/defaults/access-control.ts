import { each, inside, structDefaults } from './struct-defaults.ts';
import type { RoleBinding, RoleRef, Subject } from '../../types/generated/rbac-v1.ts';

const group = 'rbac.authorization.k8s.io';

const roleRef = structDefaults<RoleRef>({ apiGroup: (value) => value || group });

const subject = structDefaults<Subject>({
  apiGroup: (value, { kind }) => value ?? (kind === 'User' || kind === 'Group' ? group : undefined),
});

/** Follows kubernetes pkg/apis/rbac/v1/defaults.go SetDefaults_RoleBinding. */
export const roleBinding = structDefaults<RoleBinding>({ subjects: each(subject), roleRef: inside(roleRef) });
