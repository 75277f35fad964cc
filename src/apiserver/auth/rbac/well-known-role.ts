import type { KubernetesObject } from '../../../machinery/meta/object.ts';

const name = 'system:openshift:public-info-viewer';
const metadata = { name };

/**
 * The recorded server has an unlisted role for `/.well-known`: used in decisions and rules reviews, never stored.
 * Follows test/facts auth-reviews.
 */
export const wellKnownRole: KubernetesObject = {
  kind: 'ClusterRole',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  metadata,
  rules: [{ verbs: ['get'], nonResourceURLs: ['/.well-known', '/.well-known/*'] }],
};

const everybody = ['system:authenticated', 'system:unauthenticated'];

export const wellKnownBinding: KubernetesObject = {
  kind: 'ClusterRoleBinding',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  metadata,
  subjects: everybody.map((group) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: group })),
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
};
