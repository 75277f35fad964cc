import { asKubernetesObject, type KubernetesObject } from '../../machinery/meta/object.ts';
import { asList, asObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';

/**
 * Without uids and times; bindings follow their roles. Follows
 * plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go.
 */
export const createBootstrapRbac = (tables: JsonObject): readonly KubernetesObject[] => [
  ...objects('ClusterRole', tables['clusterroles']),
  ...objects('ClusterRoleBinding', tables['clusterrolebindings']),
  ...objects('Role', tables['roles']),
  ...objects('RoleBinding', tables['rolebindings']),
];

const objects = (kind: string, rows: JsonValue | undefined): readonly KubernetesObject[] =>
  asList(rows)
    .map((row) => asKubernetesObject(completeObject(kind, asObject(row))))
    .filter((object) => object !== undefined);

/** Adds the fields common to all. */
function completeObject(kind: string, row: JsonObject): JsonObject {
  const { name, namespace, labels, ...fields } = row;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...asObject(labels) },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
  const rules = kind.endsWith('Role') ? { rules: row['rules'] ?? null } : {};
  const { aggregationRule, subjects, roleRef } = fields;
  return {
    kind,
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata,
    ...(subjects === undefined ? {} : { subjects }),
    ...(roleRef === undefined ? {} : { roleRef }),
    ...rules,
    ...(aggregationRule === undefined ? {} : { aggregationRule }),
  };
}
