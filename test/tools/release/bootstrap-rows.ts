import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { asObject, asString, type JsonObject, type JsonValue } from '../../../src/machinery/json/json.ts';

/** Of k8s.io/kubernetes: what its own tests hold the roles of a fresh server against. */
const folder = 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata';
const files: Readonly<Record<string, readonly string[]>> = {
  clusterroles: ['cluster-roles.yaml', 'controller-roles.yaml'],
  clusterrolebindings: ['cluster-role-bindings.yaml', 'controller-role-bindings.yaml'],
  roles: ['namespace-roles.yaml'],
  rolebindings: ['namespace-role-bindings.yaml'],
};

/** The roles and bindings that a fresh server of these sources holds, by kind of list and in the order of their names. */
export const readBootstrapRows = (kubernetes: string): JsonObject =>
  Object.fromEntries(
    Object.entries(files).map(([list, names]) => {
      const items = names.flatMap((name) => itemsIn(join(kubernetes, folder, name)));
      const rows = items.map(compact).toSorted((a, b) => (fullName(a) < fullName(b) ? -1 : 1));
      return [list, rows.map((row) => aggregated(row, rows))];
    }),
  );

/** With the rules of the roles that are selected, and of those that they select. Follows kubernetes pkg/controller/clusterroleaggregation. */
function aggregated(row: JsonObject, all: readonly JsonObject[]): JsonObject {
  if (row['aggregationRule'] === undefined) return row;
  const { name, labels, rules: _own, ...withoutRules } = row;
  return dropUndefined({ name, labels, rules: rulesOf(row, all), ...withoutRules });
}

function rulesOf(row: JsonObject, all: readonly JsonObject[]): readonly JsonValue[] {
  const { clusterRoleSelectors: selectors } = asObject(row['aggregationRule']);
  if (!Array.isArray(selectors)) return Array.isArray(row['rules']) ? row['rules'] : [];
  const rules = selectors.flatMap((selector) => {
    const wanted = Object.entries(asObject(asObject(selector)['matchLabels']));
    const isSelected = (role: JsonObject): boolean =>
      wanted.every(([key, value]) => asObject(role['labels'])[key] === value);
    return all.filter((role) => role['name'] !== row['name'] && isSelected(role)).flatMap((role) => rulesOf(role, all));
  });
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function itemsIn(file: string): readonly JsonObject[] {
  const { items } = asObject(parse(readFileSync(file, 'utf8')) as JsonValue);
  return Array.isArray(items) ? items.map(asObject) : [];
}

const fullName = (row: JsonObject): string => `${asString(row['namespace'])}/${asString(row['name'])}`;

/** The label and the annotation that all of them carry are added again when the table is read. */
function compact(item: JsonObject): JsonObject {
  const { name, namespace, labels } = asObject(item['metadata']);
  const { 'kubernetes.io/bootstrapping': bootstrapping, ...own } = asObject(labels);
  if (bootstrapping !== 'rbac-defaults') throw new Error(`${asString(name)} is not marked like the others`);
  const { rules, aggregationRule, subjects, roleRef } = item;
  return dropUndefined({
    name,
    namespace,
    labels: Object.keys(own).length === 0 ? undefined : own,
    rules: Array.isArray(rules) ? rules.map(ruleInOrder) : undefined,
    aggregationRule,
    subjects: Array.isArray(subjects)
      ? subjects.map((each) => inOrder(asObject(each), ['kind', 'apiGroup', 'name', 'namespace']))
      : undefined,
    roleRef: roleRef && inOrder(asObject(roleRef), ['apiGroup', 'kind', 'name']),
  });
}

const ruleInOrder = (rule: JsonValue): JsonObject =>
  inOrder(asObject(rule), ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs']);

/** As Go's types have them; YAML has them by name. */
const inOrder = (object: JsonObject, fields: readonly string[]): JsonObject =>
  dropUndefined(Object.fromEntries(fields.map((field) => [field, object[field]])));

const dropUndefined = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
