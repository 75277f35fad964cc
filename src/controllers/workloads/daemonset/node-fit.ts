import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import {
  type Labels,
  requirementMatches,
  type SelectorOperator,
} from '../../../machinery/selectors/label-requirement.ts';
import { metadataOf, ownValue } from '../../../machinery/meta/object.ts';
import { nameOf } from '../fields.ts';
import type {
  Node,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodSpec,
  Taint,
  Toleration,
} from '../../../api/types/generated/core-v1.ts';

const operators: Readonly<Record<string, SelectorOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

/**
 * Do the node selector and required node affinity of the Pod match? Follows component-helpers
 * scheduling/corev1/nodeaffinity.
 */
export function matchesNodeAffinity(podSpec: PodSpec, node: Node): boolean {
  const labels: Labels = metadataOf(node).labels ?? {};
  const selected = Object.entries(asObject(podSpec.nodeSelector)).every(([key, value]) => labels[key] === value);
  const required = podSpec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return selected && (required === undefined || asList(required).some((term) => matchesTerm(asObject(term), node)));
}

/** A term without requirements matches nothing. */
function matchesTerm({ matchExpressions, matchFields }: NodeSelectorTerm, node: Node): boolean {
  const expressions = asList(matchExpressions);
  const fields = asList(matchFields);
  if (expressions.length + fields.length === 0) return false;
  const nameFields: Labels = { 'metadata.name': nameOf(node) };
  return (
    expressions.every((one) => matchesRequirement(asObject(one), metadataOf(node).labels ?? {})) &&
    fields.every((one) => matchesRequirement(asObject(one), nameFields))
  );
}

function matchesRequirement({ key, operator, values }: NodeSelectorRequirement, labels: Labels): boolean {
  const known = ownValue(operators, asString(operator));
  const requirement = { key: asString(key), values: asList(values).map(asString) };
  return known !== undefined && requirementMatches({ ...requirement, operator: known }, labels);
}

/** Has the node an untolerated taint with one of these effects? Follows FindMatchingUntoleratedTaint. */
export function hasUntoleratedTaint(podSpec: PodSpec, node: Node, effects: readonly string[]): boolean {
  const tolerations = asList(podSpec.tolerations);
  return asList(node.spec?.taints)
    .filter((taint) => effects.includes(asString(taint.effect)))
    .some((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
}

/** Follows k8s.io/api core/v1/toleration.go ToleratesTaint. */
export function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  const empty = (field: JsonValue | undefined): boolean => field === undefined || field === '';
  if (!empty(effect) && effect !== taint.effect) return false;
  if (!empty(key) && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (empty(operator) || operator === 'Equal') && asString(value) === asString(taint.value);
}
