import { asList, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { readLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import { readOnce } from '../../../machinery/once.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';

/**
 * Its own rules, or those of all roles its selectors match, transitively, by name and without repeats. Follows
 * pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go.
 */
export const aggregatedRules = (role: KubernetesObject, all: readonly KubernetesObject[]): readonly JsonValue[] =>
  aggregatedIn(all)(role);

/** By the list of a cache, which forks share until one of them writes a ClusterRole: a twentieth of a short scenario. */
const aggregatedIn = readOnce((all: readonly KubernetesObject[]) =>
  readOnce((role: KubernetesObject) => aggregate(role, all)),
);

function aggregate(role: KubernetesObject, all: readonly KubernetesObject[]): readonly JsonValue[] {
  const rules = new Map<string, JsonValue>();
  const visited = new Set<KubernetesObject>();
  // Depth first, each role once.
  const pending = [role];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    const selectors = valueAt(next, 'aggregationRule', 'clusterRoleSelectors');
    if (selectors !== undefined) pending.push(...selectedBy(selectors, all).toReversed());
    else for (const rule of asList(next['rules'])) addOnce(rules, rule);
  }
  return [...rules.values()];
}

function addOnce(rules: Map<string, JsonValue>, rule: JsonValue): void {
  const text = writeJson(rule);
  if (!rules.has(text)) rules.set(text, rule);
}

function selectedBy(selectors: JsonValue, roles: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const unselected = new Set(roles);
  const read = new Set<string>();
  for (const selector of asList(selectors)) {
    const text = writeJson(selector);
    if (read.has(text)) continue;
    read.add(text);
    const reading = readLabelSelector(selector);
    if (reading.outcome !== 'selector') continue;
    for (const role of unselected) if (reading.selector.matches(metadataOf(role).labels ?? {})) unselected.delete(role);
  }
  return roles.filter((role) => !unselected.has(role));
}
