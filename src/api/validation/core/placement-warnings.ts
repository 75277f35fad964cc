import { preferredRules, requiredRules } from './affinity.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { labelValueErrors } from '../../../machinery/meta/names.ts';
import type * as core from '../../types/generated/core-v1.ts';

const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** undefined for any other label. */
export const findDeprecatedLabelText = (label: string): string | undefined =>
  Object.hasOwn(deprecatedLabels, label) ? deprecatedLabels[label] : undefined;

/** Follows kubernetes pkg/api/pod/warnings.go and pkg/api/node/util.go. */
export function placementWarnings(
  spec: core.PodSpec,
  path: string,
): { readonly nodes: readonly string[]; readonly pods: readonly string[] } {
  const { nodeSelector, affinity, topologySpreadConstraints } = spec;
  if (nodeSelector === undefined && affinity === undefined && topologySpreadConstraints === undefined)
    return noWarnings;
  const selectors = Object.keys(asObject(nodeSelector)).flatMap((key) =>
    findDeprecatedLabelText(key) === undefined ? [] : [`${path}.nodeSelector[${key}]: ${findDeprecatedLabelText(key)}`],
  );
  const spreads = asList(topologySpreadConstraints).flatMap((constraint, index) =>
    spreadWarnings(constraint, `${path}.topologySpreadConstraints[${index}]`),
  );
  return {
    nodes: [...selectors, ...nodeWarnings(affinity?.nodeAffinity, `${path}.affinity.nodeAffinity`), ...spreads],
    pods: (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) =>
      podWarnings(asObject(affinity)[kind], `${path}.affinity.${kind}`),
    ),
  };
}

const noWarnings = { nodes: [], pods: [] } as const;

function nodeWarnings(affinity: core.NodeAffinity | undefined, path: string): readonly string[] {
  const terms = asList(affinity?.[requiredRules]?.nodeSelectorTerms);
  return [
    ...terms.flatMap((term, index) => termWarnings(term, `${path}.${requiredRules}.nodeSelectorTerms[${index}]`)),
    ...asList(affinity?.[preferredRules]).flatMap(({ preference }, index) =>
      termWarnings(preference, `${path}.${preferredRules}[${index}].preference`, true),
    ),
  ];
}

/** `checksValues` for preferred terms, whose values are not validated. */
export const termWarnings = (
  term: core.NodeSelectorTerm | undefined,
  path: string,
  checksValues = false,
): readonly string[] =>
  asList(term?.matchExpressions).flatMap(({ key = '', values }, index) => {
    const text = findDeprecatedLabelText(key);
    const at = `${path}.matchExpressions[${index}]`;
    return [
      ...(text === undefined ? [] : [`${at}.key: ${key} is ${text}`]),
      ...(checksValues ? asList(values) : []).flatMap((value, place) =>
        labelValueErrors(value).map((problem) => `${at}.values[${place}]: ${value} is invalid, ${problem}`),
      ),
    ];
  });

const noPod = 'a null labelSelector results in matching no pod';

function spreadWarnings(constraint: core.TopologySpreadConstraint, path: string): readonly string[] {
  const key = asString(constraint.topologyKey);
  const text = findDeprecatedLabelText(key);
  return [
    ...(text === undefined ? [] : [`${path}.topologyKey: ${key} is ${text}`]),
    ...(constraint.labelSelector === undefined ? [`${path}.labelSelector: ${noPod}`] : []),
  ];
}

function podWarnings(affinity: core.PodAffinity | core.PodAntiAffinity | undefined, path: string): readonly string[] {
  const lacks = (term: core.PodAffinityTerm | undefined): boolean => term?.labelSelector === undefined;
  return [
    ...asList(affinity?.[requiredRules]).flatMap((term, index) =>
      lacks(term) ? [`${path}.${requiredRules}[${index}].labelSelector: ${noPod}`] : [],
    ),
    ...asList(affinity?.[preferredRules]).flatMap(({ podAffinityTerm }, index) =>
      lacks(podAffinityTerm) ? [`${path}.${preferredRules}[${index}].podAffinityTerm.labelSelector: ${noPod}`] : [],
    ),
  ];
}
