import {
  duplicate,
  type FieldError,
  invalidValue,
  required,
  notSupported,
} from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { pathSegmentName } from '../../../machinery/meta/names.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import { validateLabelSelector } from '../../../api/validation/meta/labels.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';
import { readRule, type MatchRule } from '../matching/match-selectors.ts';

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

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'] as const;
const scopes = ['*', 'Cluster', 'Namespaced'] as const;

/** Follows kubernetes pkg/apis/admissionregistration/validation/validation.go (rules CFG-23 to CFG-28). */
export function validateRule(value: v1.NamedRuleWithOperations, path: string): readonly FieldError[] {
  const rule = readRule(value);
  return [
    ...validateOperations(rule, `${path}.operations`),
    ...validateList(rule.apiGroups, `${path}.apiGroups`, 'API groups'),
    ...validateList(rule.apiVersions, `${path}.apiVersions`, 'API versions'),
    ...emptyEntries(rule.apiVersions, `${path}.apiVersions`),
    ...validateResources(rule.resources, `${path}.resources`),
    ...supportedValueErrors(rule.scope, `${path}.scope`, scopes),
  ];
}

const validateOperations = (rule: MatchRule, path: string): readonly FieldError[] => [
  ...validateList(rule.operations, path, 'operations'),
  ...rule.operations.flatMap((operation, index) => supportedValueErrors(operation, `${path}[${index}]`, operations)),
];

function validateList(list: readonly string[], path: string, what: string): readonly FieldError[] {
  if (list.length === 0) return [required(path, '')];
  if (list.length === 1 || !list.includes('*')) return [];
  return [invalidValue(path, list, `if '*' is present, must not specify other ${what}`)];
}

const emptyEntries = (list: readonly string[], path: string): readonly FieldError[] =>
  list.flatMap((entry, index) => (entry === '' ? [required(`${path}[${index}]`, '')] : []));

/** Wildcards forbid only later entries, and the last plain entry decides about `*` (rules CFG-26, CFG-27). */
function validateResources(resources: readonly string[], path: string): readonly FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [required(path, '')] : [];
  const earlier = new Set<string>();
  for (const [index, entry] of resources.entries()) {
    if (entry === '') errors.push(required(`${path}[${index}]`, ''));
    errors.push(...coveredBefore(entry, earlier, `${path}[${index}]`));
    earlier.add(entry);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  const lastPlain = resources.findLast((entry) => entry !== '' && !entry.includes('/'));
  if (resources.includes('*') && lastPlain !== '*') {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(path, resources, detail));
  }
  return errors;
}

function coveredBefore(entry: string, earlier: ReadonlySet<string>, path: string): readonly FieldError[] {
  const slash = entry.indexOf('/');
  if (slash < 0) return [];
  const wildcards = [`${entry.slice(0, slash)}/*`, `*/${entry.slice(slash + 1)}`];
  return wildcards
    .filter((wildcard) => earlier.has(wildcard))
    .map((wildcard) => invalidValue(path, entry, `if '${wildcard}' is present, must not specify ${entry}`));
}

/** The values in sorted order; an absent field was defaulted or belongs to the other kind. */
export const supportedValueErrors = (
  value: JsonValue | undefined,
  path: string,
  supported: readonly string[],
): readonly FieldError[] =>
  value === undefined || value === null || supported.some((known) => known === value)
    ? []
    : [notSupported(path, value, supported)];
