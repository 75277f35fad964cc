import { asList, valueAt } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { readLabelSelector } from '../../apimachinery/label-selector.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';

/**
 * The rules of a ClusterRole: its own, or, when it aggregates, those of every other role its selectors match, in order
 * of their names, each rule once. Roles that aggregate themselves are followed.
 * Follows pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go.
 */
export function aggregatedRules(role: KubernetesObject, all: () => readonly KubernetesObject[]): readonly JsonValue[] {
  return collect(role, all, []);
}

function collect(
  role: KubernetesObject,
  all: () => readonly KubernetesObject[],
  above: readonly KubernetesObject[],
): readonly JsonValue[] {
  const selectors = valueAt(role, 'aggregationRule', 'clusterRoleSelectors');
  if (selectors === undefined) return asList(role['rules']);
  const rules: JsonValue[] = [];
  const path = [...above, role];
  const isSelected = selectedBy(selectors);
  for (const other of all().filter((one) => !path.includes(one) && isSelected(one))) {
    for (const rule of collect(other, all, path)) {
      if (!rules.some((known) => sameJson(known, rule))) rules.push(rule);
    }
  }
  return rules;
}

function selectedBy(selectors: JsonValue): (role: KubernetesObject) => boolean {
  const readings = asList(selectors).map(readLabelSelector);
  return (role) => {
    const { labels = {} } = metadataOf(role);
    return readings.some((reading) => reading.outcome === 'selector' && reading.selector.matches(labels));
  };
}
