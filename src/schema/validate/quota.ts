import { invalidValue, required } from '../../apimachinery/field-error.ts';
import { flatMapInTurns } from '../../apimachinery/in-turns.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { StringMap } from '../../apimachinery/object.ts';
import { when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { immutableText } from './object-meta.ts';
import { isQuotaResource, quotaResourceName } from './resource-names.ts';
import { resourceAmount } from './resources.ts';
import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '../generated/core-v1.ts';

/** Follows kubernetes pkg/apis/core/validation ValidateResourceQuota. */
export const validateResourceQuota = (quota: ResourceQuota): Complaints => {
  const spec = asObject(quota.spec);
  return [...amounts(spec.hard, 'spec.hard'), ...scopeErrors(spec), ...selectorErrors(spec)];
};

const amounts = (map: StringMap | undefined, path: string): Complaints =>
  flatMapInTurns(Object.entries(asObject(map)), ([name, amount]) => [
    ...quotaResourceName(name, `${path}[${name}]`),
    ...resourceAmount(name, amount, `${path}[${name}]`),
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
function appliesTo(scope: string, resource: string): boolean {
  if (scope === 'BestEffort') return resource === 'pods';
  if (scope === 'VolumeAttributesClass') return claimResources.includes(resource);
  return !knownScopes.includes(scope) || podCompute.test(resource);
}

/** The standard resources that are limited, and that a scope says nothing of. */
const misappliedTo = (scope: string, spec: ResourceQuotaSpec): readonly string[] =>
  Object.keys(asObject(spec.hard)).filter((resource) => isQuotaResource(resource) && !appliesTo(scope, resource));

const conflictsOf = (scopes: readonly string[]): readonly (readonly string[])[] =>
  [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ].filter((pair) => pair.every((scope) => scopes.includes(scope)));

function scopeErrors(spec: ResourceQuotaSpec): Complaints {
  const scopes = asList(spec.scopes).map(asString);
  const complain = (text: string) => invalidValue('spec.scopes', scopes, text);
  return [
    ...scopes.flatMap((scope) => [
      ...when(!knownScopes.includes(scope), () => complain('unsupported scope')),
      ...misappliedTo(scope, spec).map(() => complain('unsupported scope applied to resource')),
    ]),
    ...conflictsOf(scopes).map(() => complain('conflicting scopes')),
  ];
}

function selectorErrors(spec: ResourceQuotaSpec): Complaints {
  const path = 'spec.scopeSelector.matchExpressions';
  const expressions = asList(asObject(spec.scopeSelector).matchExpressions);
  const scopes = expressions.map((expression) => asString(expression.scopeName));
  return [
    ...expressions.flatMap((expression) => expressionErrors(expression, path, spec)),
    ...conflictsOf(scopes).map(() =>
      invalidValue('spec.scopeSelector.scopes', spec.scopes ?? null, 'conflicting scopes'),
    ),
  ];
}

/** As Go prints the struct without JSON names. */
const printedSelector = (spec: ResourceQuotaSpec): JsonObject => ({
  MatchExpressions: asList(asObject(spec.scopeSelector).matchExpressions).map(({ scopeName, operator, values }) => ({
    ScopeName: asString(scopeName),
    Operator: asString(operator),
    Values: values ?? null,
  })),
});

function expressionErrors(
  expression: ScopedResourceSelectorRequirement,
  path: string,
  spec: ResourceQuotaSpec,
): Complaints {
  const [scope, operator] = [asString(expression.scopeName), asString(expression.operator)];
  const values = asList(expression.values);
  const needsExists = knownScopes.includes(scope) && !['PriorityClass', 'VolumeAttributesClass'].includes(scope);
  return [
    ...when(!knownScopes.includes(scope), () => invalidValue(`${path}.scopeName`, scope, 'unsupported scope')),
    ...misappliedTo(scope, spec).map(() =>
      invalidValue(path, printedSelector(spec), 'unsupported scope applied to resource'),
    ),
    ...when(needsExists && operator !== 'Exists', () =>
      invalidValue(
        `${path}.operator`,
        operator,
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      ),
    ),
    ...when((operator === 'In' || operator === 'NotIn') && values.length === 0, () =>
      required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"),
    ),
    ...when((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0, () =>
      invalidValue(
        `${path}.values`,
        values,
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      ),
    ),
    ...when(!['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator), () =>
      invalidValue(`${path}.operator`, operator, 'not a valid selector operator'),
    ),
  ];
}

/** Scopes are for good. Follows kubernetes pkg/apis/core/validation ValidateResourceQuotaUpdate. */
export function validateResourceQuotaUpdate(quota: ResourceQuota, old: ResourceQuota, subresource: string): Complaints {
  if (subresource === 'status') {
    const status = asObject(quota.status);
    return [...amounts(status.hard, 'status.hard'), ...amounts(status.used, 'status.used')];
  }
  const scopesOf = (object: ResourceQuota): readonly string[] => asList(asObject(object.spec).scopes).map(asString);
  const [now, before] = [scopesOf(quota), scopesOf(old)];
  return [
    ...validateResourceQuota(quota),
    ...when(now.toSorted().join() !== before.toSorted().join(), () => invalidValue('spec.scopes', now, immutableText)),
  ];
}
