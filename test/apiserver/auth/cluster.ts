import type { ClusterView } from '../../../src/machinery/meta/cluster-view.ts';
import { groupResourceText } from '../../../src/machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf } from '../../../src/machinery/meta/object.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { UserInfo } from '../../../src/apiserver/auth/user.ts';

const resources: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles.rbac.authorization.k8s.io',
  ClusterRoleBinding: 'clusterrolebindings.rbac.authorization.k8s.io',
  Role: 'roles.rbac.authorization.k8s.io',
  RoleBinding: 'rolebindings.rbac.authorization.k8s.io',
  ServiceAccount: 'serviceaccounts',
  Pod: 'pods',
  Node: 'nodes',
  Secret: 'secrets',
};

/** A cluster with these objects; the list may be changed between questions. */
export const clusterOf = (objects: readonly KubernetesObject[]): ClusterView => {
  const of = (resource: string, namespace?: string): readonly KubernetesObject[] =>
    objects
      .filter((object) => resources[object.kind] === resource)
      .filter((object) => namespace === undefined || (metadataOf(object).namespace ?? '') === namespace);
  return {
    get: (resource, namespace, name) =>
      of(groupResourceText(resource), namespace).find((object) => metadataOf(object).name === name),
    list: (resource, namespace) => of(groupResourceText(resource), namespace),
  };
};

const apiVersion = 'rbac.authorization.k8s.io/v1';

let written = 0;

export const clusterRole = (name: string, rules: readonly JsonObject[], more: JsonObject = {}): KubernetesObject => ({
  kind: 'ClusterRole',
  apiVersion,
  metadata: { name, resourceVersion: String((written += 1)) },
  rules,
  ...more,
});

export const role = (namespace: string, name: string, rules: readonly JsonObject[]): KubernetesObject => ({
  kind: 'Role',
  apiVersion,
  metadata: { name, namespace },
  rules,
});

/** `to` is `User alice`, `Group devs` or `ServiceAccount ns/name`; a namespace of '' makes a ClusterRoleBinding. */
export function binding(namespace: string, name: string, roleName: string, to: string): KubernetesObject {
  const [kind = '', who = ''] = to.split(' ');
  const [saNamespace, saName] = who.split('/');
  const subject = kind === 'ServiceAccount' ? { kind, namespace: saNamespace, name: saName } : { kind, name: who };
  const [roleKind, bound] = roleName.includes('/') ? roleName.split('/') : ['ClusterRole', roleName];
  return {
    kind: namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding',
    apiVersion,
    metadata: namespace === '' ? { name } : { name, namespace },
    subjects: [subject],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: bound },
  };
}

export const user = (username: string, ...groups: readonly string[]): UserInfo => ({
  username,
  uid: '',
  groups: [...groups, 'system:authenticated'],
  extra: {},
});
