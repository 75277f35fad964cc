import { invalidValue, invalidWord, required, type FieldError } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import type { StringMap } from '../../../machinery/meta/object.ts';
import { eachOf, errorIf, eachKey, type FieldErrors } from '../field-rules.ts';
import { immutableText } from '../meta/object-meta.ts';
import { isQuotaResource, validateResourceQuotaResourceName, validateResourceQuantityValue } from './resources.ts';
import type * as core from '../../types/generated/core-v1.ts';

/** Follows kubernetes pkg/apis/core/validation ValidateResourceQuota. */
export const validateResourceQuota = (quota: core.ResourceQuota): FieldErrors => {
  const spec = asObject(quota.spec);
  return [
    ...validateQuotaAmounts(spec.hard, 'spec.hard'),
    ...validateResourceQuotaScopes(spec),
    ...validateScopeSelector(spec),
  ];
};

const validateQuotaAmounts = (map: StringMap | undefined, path: string): FieldErrors =>
  eachKey(asObject(map), (name) => [
    ...validateResourceQuotaResourceName(name, `${path}[${name}]`),
    ...validateResourceQuantityValue(name, map?.[name], `${path}[${name}]`),
  ]);

const knownScopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];
const podCompute = /^(pods|cpu|memory|requests\.(cpu|memory)|limits\.(cpu|memory))$/;
const claimResources = ['persistentvolumeclaims', 'requests.storage'];

/** Follows kubernetes pkg/apis/core/helper IsResourceQuotaScopeValidForResource. */
function isScopeValidForResource(scope: string, resource: string): boolean {
  if (scope === 'BestEffort') return resource === 'pods';
  if (scope === 'VolumeAttributesClass') return claimResources.includes(resource);
  return !knownScopes.includes(scope) || podCompute.test(resource);
}

/** Standard resources of the quota that the scope does not apply to. */
function createMisappliedLookup(spec: core.ResourceQuotaSpec): (scope: string) => readonly string[] {
  const resources = Object.keys(asObject(spec.hard)).filter(isQuotaResource);
  const known = new Map<string, readonly string[]>();
  return (scope) => {
    if (!knownScopes.includes(scope)) return [];
    const misapplied = known.get(scope) ?? resources.filter((resource) => !isScopeValidForResource(scope, resource));
    known.set(scope, misapplied);
    return misapplied;
  };
}

/** Caches errors that print a long value. */
function createErrorFactory(field: string, value: () => JsonValue): (text: string) => FieldError {
  const cache = new Map<string, FieldError>();
  return (text) => {
    const error = cache.get(text) ?? invalidValue(field, value(), text);
    cache.set(text, error);
    return error;
  };
}

const listScopeConflicts = (scopes: readonly string[]): readonly (readonly string[])[] =>
  [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ].filter((pair) => pair.every((scope) => scopes.includes(scope)));

function validateResourceQuotaScopes(spec: core.ResourceQuotaSpec): FieldErrors {
  const scopes = asList(spec.scopes).map(asString);
  const errorAbout = createErrorFactory('spec.scopes', () => scopes);
  const misapplied = createMisappliedLookup(spec);
  return [
    ...eachOf(scopes, (scope) =>
      knownScopes.includes(scope)
        ? eachOf(misapplied(scope), () => [errorAbout('unsupported scope applied to resource')])
        : [errorAbout('unsupported scope')],
    ),
    ...listScopeConflicts(scopes).map(() => errorAbout('conflicting scopes')),
  ];
}

function validateScopeSelector(spec: core.ResourceQuotaSpec): FieldErrors {
  const path = 'spec.scopeSelector.matchExpressions';
  const expressions = asList(asObject(spec.scopeSelector).matchExpressions);
  const scopes = expressions.map((expression) => asString(expression.scopeName));
  const errorAbout = createErrorFactory(path, () => ({
    MatchExpressions: asList(asObject(spec.scopeSelector).matchExpressions).map(({ scopeName, operator, values }) => ({
      ScopeName: asString(scopeName),
      Operator: asString(operator),
      Values: values ?? null,
    })),
  }));
  const misapplied = createMisappliedLookup(spec);
  return [
    ...eachOf(expressions, (expression) => [
      ...eachOf(misapplied(asString(expression.scopeName)), () => [
        errorAbout('unsupported scope applied to resource'),
      ]),
      ...validateScopedResourceSelectorRequirement(expression, path),
    ]),
    ...listScopeConflicts(scopes).map(() =>
      invalidValue('spec.scopeSelector.scopes', spec.scopes ?? null, 'conflicting scopes'),
    ),
  ];
}

function validateScopedResourceSelectorRequirement(
  expression: core.ScopedResourceSelectorRequirement,
  path: string,
): FieldErrors {
  const [scope, operator] = [asString(expression.scopeName), asString(expression.operator)];
  const values = asList(expression.values);
  const needsExists = knownScopes.includes(scope) && !['PriorityClass', 'VolumeAttributesClass'].includes(scope);
  return [
    ...errorIf(!knownScopes.includes(scope), () => invalidValue(`${path}.scopeName`, scope, 'unsupported scope')),
    ...errorIf(needsExists && operator !== 'Exists', () =>
      invalidValue(
        `${path}.operator`,
        operator,
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      ),
    ),
    ...errorIf((operator === 'In' || operator === 'NotIn') && values.length === 0, () =>
      required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"),
    ),
    ...errorIf((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0, () =>
      invalidValue(
        `${path}.values`,
        values,
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      ),
    ),
    ...errorIf(!['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator), () =>
      invalidWord(`${path}.operator`, operator, 'not a valid selector operator'),
    ),
  ];
}

/** Scopes are immutable. Follows kubernetes pkg/apis/core/validation ValidateResourceQuotaUpdate. */
export function validateResourceQuotaUpdate(
  quota: core.ResourceQuota,
  old: core.ResourceQuota,
  subresource: string,
): FieldErrors {
  if (subresource === 'status') {
    const status = asObject(quota.status);
    return [...validateQuotaAmounts(status.hard, 'status.hard'), ...validateQuotaAmounts(status.used, 'status.used')];
  }
  const scopesOf = (object: core.ResourceQuota): readonly string[] =>
    asList(asObject(object.spec).scopes).map(asString);
  const [now, before] = [scopesOf(quota), scopesOf(old)];
  return [
    ...validateResourceQuota(quota),
    ...errorIf(now.toSorted().join() !== before.toSorted().join(), () =>
      invalidValue('spec.scopes', now, immutableText),
    ),
  ];
}
