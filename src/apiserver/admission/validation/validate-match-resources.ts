import { duplicate, type FieldError, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { pathSegmentName } from '../../../machinery/meta/names.ts';
import { duplicateIndexes } from '../../../machinery/duplicates.ts';
import { validateLabelSelector } from '../../../api/validation/meta/labels.ts';
import { validateRule } from './validate-rule.ts';
import { supportedValueErrors } from './validate-webhook.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

/** Follows kubernetes pkg/apis/admissionregistration/validation/validation.go (rule CFG-72). */
export function validateMatchResources(match: v1.MatchResources, path: string): readonly FieldError[] {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules, excludeResourceRules } = match;
  return [
    ...(matchPolicy === undefined
      ? [required(`${path}.matchPolicy`, '')]
      : supportedValueErrors(matchPolicy, `${path}.matchPolicy`, ['Equivalent', 'Exact'])),
    ...validateSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...validateSelector(objectSelector, `${path}.objectSelector`),
    ...validateNamedRules(resourceRules, `${path}.resourceRules`),
    ...validateNamedRules(excludeResourceRules, `${path}.excludeResourceRules`),
  ];
}

const validateSelector = (value: JsonValue | undefined, path: string): readonly FieldError[] =>
  isJsonObject(value) ? validateLabelSelector(value, path) : [required(path, '')];

const validateNamedRules = (
  rules: readonly v1.NamedRuleWithOperations[] | undefined,
  path: string,
): readonly FieldError[] =>
  asList(rules).flatMap((rule, index) => [
    ...validateNames(asList(asObject(rule).resourceNames).map(asString), `${path}[${index}].resourceNames`),
    ...validateRule(asObject(rule), `${path}[${index}]`),
  ]);

function validateNames(names: readonly string[], path: string): readonly FieldError[] {
  const repeats = duplicateIndexes(names);
  return names.flatMap((name, index) => [
    ...pathSegmentName(name).map((error) => invalidValue(`${path}[${index}]`, name, error)),
    ...(repeats.has(index) ? [duplicate(`${path}[${index}]`, name)] : []),
  ]);
}
