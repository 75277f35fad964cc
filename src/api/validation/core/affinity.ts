import {
  validateText,
  validateEnum,
  validateOptionalEnum,
  each,
  eachOf,
  eachText,
  noErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  invalidWord,
  notSupported,
  required,
} from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import {
  dns1123Label,
  dns1123Subdomain,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../../machinery/meta/names.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { validateLabelSelector } from '../meta/labels.ts';
import type { LabelSelector } from '../../types/generated/meta-v1.ts';

export const requiredRules = 'requiredDuringSchedulingIgnoredDuringExecution';
export const preferredRules = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The file follows kubernetes pkg/apis/core/validation validateAffinity and its helpers. */
export function validateAffinity(affinity: core.Affinity | undefined, path: string): FieldErrors {
  if (affinity === undefined) return noErrors;
  const { nodeAffinity, podAffinity, podAntiAffinity } = asObject(affinity);
  return [
    ...(nodeAffinity === undefined ? [] : validateNodeAffinity(asObject(nodeAffinity), `${path}.nodeAffinity`)),
    ...(podAffinity === undefined ? [] : validatePodAffinity(asObject(podAffinity), `${path}.podAffinity`)),
    ...(podAntiAffinity === undefined ? [] : validatePodAffinity(asObject(podAntiAffinity), `${path}.podAntiAffinity`)),
  ];
}

function validateNodeAffinity(affinity: core.NodeAffinity, path: string): FieldErrors {
  const hard = affinity[requiredRules];
  return [
    ...(hard === undefined ? [] : validateNodeSelector(hard, `${path}.${requiredRules}`)),
    ...each(affinity[preferredRules], `${path}.${preferredRules}`, (term, at) => [
      ...validateWeight(term.weight, at),
      ...validateNodeSelectorTerm(asObject(term.preference), `${at}.preference`, false),
    ]),
  ];
}

export function validateNodeSelector(selector: core.NodeSelector, path: string): FieldErrors {
  const { nodeSelectorTerms } = asObject(selector);
  const field = `${path}.nodeSelectorTerms`;
  if (asList(nodeSelectorTerms).length === 0) return [required(field, 'must have at least one node selector term')];
  return each(nodeSelectorTerms, field, (term, at) => validateNodeSelectorTerm(term, at, true));
}

const validateWeight = (weight: JsonValue | undefined, path: string): FieldErrors =>
  errorIf(!(Number(weight ?? 0) > 0 && Number(weight) <= 100), () =>
    invalidValue(`${path}.weight`, weight ?? 0, 'must be in the range 1-100'),
  );

function validateNodeSelectorTerm(term: core.NodeSelectorTerm, path: string, checksValues: boolean): FieldErrors {
  return [
    ...each(term.matchExpressions, `${path}.matchExpressions`, (requirement, at) => [
      ...validateNodeSelectorOperator(requirement, at),
      ...validateText(qualifiedNameErrors, `${at}.key`, asString(requirement.key)),
      ...(checksValues
        ? eachText(requirement.values, `${at}.values`, (value, valuePath) =>
            validateText(labelValueErrors, valuePath, value),
          )
        : []),
    ]),
    ...each(term.matchFields, `${path}.matchFields`, validateNodeFieldSelectorRequirement),
  ];
}

function validateNodeSelectorOperator(requirement: core.NodeSelectorRequirement, path: string): FieldErrors {
  const count = asList(requirement.values).length;
  const operator = asString(requirement.operator);
  switch (operator) {
    case 'In':
    case 'NotIn':
      return errorIf(count === 0, () =>
        required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
      );
    case 'Exists':
    case 'DoesNotExist':
      return errorIf(count > 0, () =>
        forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    case 'Gt':
    case 'Lt':
      return errorIf(count !== 1, () =>
        required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
      );
    default:
      return [invalidWord(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

function validateNodeFieldSelectorRequirement(requirement: core.NodeSelectorRequirement, path: string): FieldErrors {
  const [key, operator] = [asString(requirement.key), asString(requirement.operator)];
  const isSet = operator === 'In' || operator === 'NotIn';
  return [
    ...errorIf(isSet && asList(requirement.values).length !== 1, () =>
      required(`${path}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"),
    ),
    ...errorIf(!isSet, () => invalidWord(`${path}.operator`, operator, 'not a valid selector operator')),
    ...(key === 'metadata.name'
      ? eachText(requirement.values, `${path}.values`, (value, at) => validateText(dns1123Subdomain, at, value))
      : [invalidValue(`${path}.key`, key, 'not a valid field selector key')]),
  ];
}

const validatePodAffinity = (affinity: core.PodAffinity | core.PodAntiAffinity, path: string): FieldErrors => [
  ...each(affinity[requiredRules], `${path}.${requiredRules}`, validatePodAffinityTerm),
  ...each(affinity[preferredRules], `${path}.${preferredRules}`, (weighted, at) => [
    ...validateWeight(weighted.weight, at),
    ...validatePodAffinityTerm(asObject(weighted.podAffinityTerm), `${at}.podAffinityTerm`),
  ]),
];

function validatePodAffinityTerm(term: core.PodAffinityTerm, path: string): FieldErrors {
  const topologyKey = asString(term.topologyKey);
  return [
    ...validateLabelSelector(term.labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...asList(term.namespaces).flatMap((name) => validateText(dns1123Label, `${path}.namespace`, asString(name))),
    ...validateMatchLabelKeysAndMismatchLabelKeys(term, path),
    ...errorIf(topologyKey === '', () => required(`${path}.topologyKey`, 'can not be empty')),
    ...validateText(qualifiedNameErrors, `${path}.topologyKey`, topologyKey),
  ];
}

/** Follows kubernetes pkg/apis/core/validation ValidateMatchLabelKeysAndMismatchLabelKeys. */
function validateMatchLabelKeysAndMismatchLabelKeys(term: core.PodAffinityTerm, path: string): FieldErrors {
  const [same, other] = [asList(term.matchLabelKeys), asList(term.mismatchLabelKeys)];
  if (same.length === 0 && other.length === 0) return [];
  const { labelSelector } = term;
  const names = (keys: readonly string[], at: string): FieldErrors => {
    if (keys.length === 0) return [];
    if (labelSelector === undefined) return [forbiddenField(at, 'must not be specified when labelSelector is not set')];
    return eachOf(keys, (key, index) => validateText(qualifiedNameErrors, `${at}[${index}]`, key));
  };
  const others = new Set(other);
  return [
    ...names(same, `${path}.matchLabelKeys`),
    ...names(other, `${path}.mismatchLabelKeys`),
    ...validateMergedLabelKeys(asObject(labelSelector), same, path),
    ...eachOf(same, (key, index) =>
      errorIf(others.has(key), () =>
        invalidValue(`${path}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys'),
      ),
    ),
  ];
}

/** The keys were merged into the selector: a key in it before is there twice now. */
function validateMergedLabelKeys(selector: LabelSelector, keys: readonly string[], path: string): FieldErrors {
  const visited = new Set(Object.keys(asObject(selector.matchLabels)));
  return each(selector.matchExpressions, path, (expression) => {
    const key = asString(expression.key);
    const isRepeated = isDuplicate(visited, key) && keys.includes(key);
    return errorIf(isRepeated, () =>
      invalidValue(`${path}[${keys.lastIndexOf(key)}]`, key, 'exists in both matchLabelKeys and labelSelector'),
    );
  });
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Follows kubernetes pkg/apis/core/validation ValidateTolerations. */
export const validateTolerations = (tolerations: readonly core.Toleration[] | undefined, path: string): FieldErrors =>
  each(tolerations, path, (toleration, at) => {
    const { key = '', operator = '', effect = '' } = toleration;
    const needsExists = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    return [
      ...(key ? validateText(qualifiedNameErrors, `${at}.key`, key) : []),
      ...errorIf(key === '' && operator !== 'Exists', () =>
        invalidValue(`${at}.operator`, operator ?? '', needsExists),
      ),
      ...errorIf(toleration.tolerationSeconds !== undefined && effect !== 'NoExecute', () =>
        invalidValue(`${at}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      ),
      ...validateTolerationOperator(operator ?? '', asString(toleration.value), at),
      ...(effect ? validateEnum(`${at}.effect`, effect, effects) : []),
    ];
  });

function validateTolerationOperator(operator: string, value: string, path: string): FieldErrors {
  const field = `${path}.operator`;
  switch (operator) {
    case '':
    case 'Equal': {
      const errors = labelValueErrors(value);
      return errorIf(errors.length > 0, () => invalidValue(field, value, errors.join(';')));
    }
    case 'Exists':
      return errorIf(value !== '', () => invalidValue(field, value, "value must be empty when `operator` is 'Exists'"));
    default:
      return [
        notSupported(
          field,
          operator,
          operator === 'Lt' || operator === 'Gt' ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists'],
        ),
      ];
  }
}

/** Follows kubernetes pkg/apis/core/validation validateTopologySpreadConstraints. */
export function validateTopologySpreadConstraints(
  constraints: readonly core.TopologySpreadConstraint[] | undefined,
  path: string,
): FieldErrors {
  if (constraints === undefined) return noErrors;
  const last = new Map(asList(constraints).map((constraint, index) => [constraintKey(asObject(constraint)), index]));
  return each(constraints, path, (constraint, at, index) => {
    const [topologyKey, mode] = [asString(constraint.topologyKey), asString(constraint.whenUnsatisfiable)];
    const pair = constraintKey(constraint);
    const isRepeated = (last.get(pair) ?? index) > index;
    const { maxSkew = 0, minDomains } = constraint;
    const modes = ['DoNotSchedule', 'ScheduleAnyway'];
    return [
      ...errorIf(Number(maxSkew) <= 0, () => invalidValue(`${at}.maxSkew`, maxSkew, 'must be greater than zero')),
      ...errorIf(topologyKey === '', () => required(`${at}.topologyKey`, 'can not be empty')),
      ...validateEnum(`${at}.whenUnsatisfiable`, mode, modes),
      ...errorIf(isRepeated, () => duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair)),
      ...errorIf(minDomains !== undefined && Number(minDomains) <= 0, () =>
        invalidValue(`${at}.minDomains`, minDomains ?? 0, 'must be greater than zero'),
      ),
      ...errorIf(minDomains !== undefined && mode !== 'DoNotSchedule', () =>
        invalidValue(
          `${at}.minDomains`,
          minDomains ?? 0,
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${mode}`,
        ),
      ),
      ...validateOptionalEnum(`${at}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, ['Honor', 'Ignore']),
      ...validateOptionalEnum(`${at}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, ['Honor', 'Ignore']),
      ...validateMatchLabelKeysAndMismatchLabelKeys({ ...constraint, mismatchLabelKeys: [] }, at),
      ...validateLabelSelector(constraint.labelSelector, `${at}.labelSelector`),
    ];
  });
}

const constraintKey = ({ topologyKey, whenUnsatisfiable }: core.TopologySpreadConstraint): string =>
  `{${asString(topologyKey)}, ${asString(whenUnsatisfiable)}}`;
