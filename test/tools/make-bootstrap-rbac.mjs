// Writes src/schema/release/v1.36/bootstrap-rbac.json from a list of the roles and bindings a fresh server holds.
//   node test/tools/make-bootstrap-rbac.mjs FILE
// FILE: {"clusterroles": […], "clusterrolebindings": […], "roles": […], "rolebindings": […]}, each entry with name,
// namespace, labels and annotations beside its own fields (`metadata` around them is accepted too).
import { readFileSync, writeFileSync } from 'node:fs';

const kinds = {
  clusterroles: 'ClusterRole',
  clusterrolebindings: 'ClusterRoleBinding',
  roles: 'Role',
  rolebindings: 'RoleBinding',
};
const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('usage: node test/tools/make-bootstrap-rbac.mjs FILE');
  process.exit(2);
}
const read = JSON.parse(readFileSync(source, 'utf8'));
const made = Object.fromEntries(
  Object.entries(kinds).map(([resource, kind]) => {
    const rows = read[resource].toSorted((a, b) => (fullName(a) < fullName(b) ? -1 : 1));
    return [resource, rows.map((row) => compact(row, kind))];
  }),
);
const lines = Object.entries(made).map(([resource, rows]) => {
  const inner = rows.map((row) => JSON.stringify(row)).join(',\n');
  return `${JSON.stringify(resource)}: [\n${inner}\n]`;
});
writeFileSync(
  new URL('../../src/schema/release/v1.36/bootstrap-rbac.json', import.meta.url),
  `{\n${lines.join(',\n')}\n}\n`,
);

function fullName(row) {
  const { name, namespace = '' } = row.metadata ?? row;
  return `${namespace}/${name}`;
}

// The label and the annotation that all of them carry are added again when the file is read.
function compact(row, kind) {
  const { name, namespace, labels = {}, annotations = {} } = row.metadata ?? row;
  const { 'kubernetes.io/bootstrapping': bootstrapping, ...ownLabels } = labels;
  const { 'rbac.authorization.kubernetes.io/autoupdate': autoupdate, ...ownAnnotations } = annotations;
  if (bootstrapping !== 'rbac-defaults' || autoupdate !== 'true' || Object.keys(ownAnnotations).length > 0) {
    throw new Error(`${kind} ${name} is not marked like the others`);
  }
  const { aggregationRule, rules, subjects, roleRef } = row;
  const ownOnly = Object.keys(ownLabels).length === 0 ? undefined : ownLabels;
  // JSON leaves out what is undefined.
  return { name, namespace, labels: ownOnly, rules, aggregationRule, subjects, roleRef };
}
