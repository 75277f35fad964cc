import { duplicate, forbiddenField, invalidValue, required } from '../../apimachinery/field-error.ts';
import { flatMapInTurns } from '../../apimachinery/in-turns.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { qualifiedNameErrors } from '../../apimachinery/names.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { canonicalQuantity } from '../../apimachinery/quantity.ts';
import { each, eachKey, eachOf, following, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { immutableText } from './object-meta.ts';
import { amountOf } from './quantity-amount.ts';
import {
  containerResourceName,
  isOvercommitAllowed,
  isQuotaResource,
  quotaResourceName,
  resourceName,
} from './resource-names.ts';
import { resourceAmount } from './resources.ts';
import { ownValue } from '../../apimachinery/own-value.ts';
import { createSeen } from '../../apimachinery/seen.ts';

/** Follows kubernetes pkg/apis/core/validation ValidateResourceQuota. */
export const validateResourceQuota = (quota: KubernetesObject): Complaints => {
  const spec = asObject(quota['spec']);
  return [...amounts(spec['hard'], 'spec.hard'), ...scopeErrors(spec), ...selectorErrors(spec)];
};

const amounts = (map: JsonValue | undefined, path: string): Complaints =>
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
const misappliedTo = (scope: string, spec: JsonObject): readonly string[] =>
  Object.keys(asObject(spec['hard'])).filter((resource) => isQuotaResource(resource) && !appliesTo(scope, resource));

const conflictsOf = (scopes: readonly string[]): readonly (readonly string[])[] =>
  [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ].filter((pair) => pair.every((scope) => scopes.includes(scope)));

function scopeErrors(spec: JsonObject): Complaints {
  const scopes = asList(spec['scopes']).map(asString);
  const complain = (text: string) => invalidValue('spec.scopes', scopes, text);
  return [
    ...scopes.flatMap((scope) => [
      ...when(!knownScopes.includes(scope), () => complain('unsupported scope')),
      ...misappliedTo(scope, spec).map(() => complain('unsupported scope applied to resource')),
    ]),
    ...conflictsOf(scopes).map(() => complain('conflicting scopes')),
  ];
}

function selectorErrors(spec: JsonObject): Complaints {
  const path = 'spec.scopeSelector.matchExpressions';
  const expressions = asList(asObject(spec['scopeSelector'])['matchExpressions']).map(asObject);
  const scopes = expressions.map((expression) => asString(expression['scopeName']));
  return [
    ...expressions.flatMap((expression) => expressionErrors(expression, path, spec)),
    ...conflictsOf(scopes).map(() =>
      invalidValue('spec.scopeSelector.scopes', spec['scopes'] ?? null, 'conflicting scopes'),
    ),
  ];
}

/** As Go prints the struct without JSON names. */
const printedSelector = (spec: JsonObject): JsonObject => ({
  MatchExpressions: asList(asObject(spec['scopeSelector'])['matchExpressions'])
    .map(asObject)
    .map(({ scopeName, operator, values }) => ({
      ScopeName: asString(scopeName),
      Operator: asString(operator),
      Values: values ?? null,
    })),
});

function expressionErrors(expression: JsonObject, path: string, spec: JsonObject): Complaints {
  const [scope, operator] = [asString(expression['scopeName']), asString(expression['operator'])];
  const values = asList(expression['values']);
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
export function validateResourceQuotaUpdate(
  quota: KubernetesObject,
  old: KubernetesObject,
  subresource: string,
): Complaints {
  if (subresource === 'status') {
    const status = asObject(quota['status']);
    return [...amounts(status['hard'], 'status.hard'), ...amounts(status['used'], 'status.used')];
  }
  const scopesOf = (object: KubernetesObject): readonly string[] =>
    asList(asObject(object['spec'])['scopes']).map(asString);
  const [now, before] = [scopesOf(quota), scopesOf(old)];
  return [
    ...validateResourceQuota(quota),
    ...when(now.toSorted().join() !== before.toSorted().join(), () => invalidValue('spec.scopes', now, immutableText)),
  ];
}

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** Follows kubernetes pkg/apis/core/validation ValidateLimitRange. */
export function validateLimitRange(limitRange: KubernetesObject): Complaints {
  const seen = createSeen();
  return each(asObject(limitRange['spec'])['limits'], 'spec.limits', (limit, at) => {
    const type = asString(limit['type']);
    const isRepeated = seen.isRepeated(type, at);
    return [
      ...limitTypeErrors(type, `${at}.type`),
      ...when(isRepeated, () => duplicate(`${at}.type`, type)),
      ...limitNameErrors(limit, type, at),
      ...limitOrderErrors(limit, at),
    ];
  });
}

function limitTypeErrors(type: string, field: string): Complaints {
  const errors = following(qualifiedNameErrors, field, type);
  if (errors.length > 0) return errors;
  return when(!type.includes('/') && !limitTypes.includes(type), () =>
    invalidValue(field, type, 'must be a standard limit type or fully qualified'),
  );
}

function limitNameErrors(limit: JsonObject, type: string, path: string): Complaints {
  const check = type === 'Pod' || type === 'Container' ? containerResourceName : resourceName;
  const names = (field: string): Complaints =>
    eachKey(asObject(limit[field]), (name) => check(name, `${path}.${field}[${name}]`));
  const forPod = (field: string): Complaints =>
    Object.keys(asObject(limit[field])).length > 0
      ? [forbiddenField(`${path}.${field}`, "may not be specified when `type` is 'Pod'")]
      : [];
  const defaults = type === 'Pod' ? forPod : names;
  const hasStorage = [limit['min'], limit['max']].some((map) => asObject(map)['storage'] !== undefined);
  return [
    ...names('max'),
    ...names('min'),
    ...defaults('default'),
    ...defaults('defaultRequest'),
    ...when(type === 'PersistentVolumeClaim' && !hasStorage, () =>
      required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided'),
    ),
    ...names('maxLimitRequestRatio'),
  ];
}

/** Pairs of which the first may not be larger; each complaint names a field and prints its value. */
const pairs = [
  { low: 'min', high: 'max', field: 'min', words: ['min', 'max'] },
  { low: 'min', high: 'defaultRequest', field: 'defaultRequest', words: ['min', 'default request'] },
  { low: 'defaultRequest', high: 'max', field: 'defaultRequest', words: ['default request', 'max'] },
  { low: 'defaultRequest', high: 'default', field: 'defaultRequest', words: ['default request', 'default limit'] },
  { low: 'min', high: 'default', field: 'default', words: ['min', 'default'], shown: 'min' },
  { low: 'default', high: 'max', field: 'default', words: ['default', 'max'], shown: 'max' },
] as const;

const amountFields = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function limitOrderErrors(limit: JsonObject, path: string): Complaints {
  const given = new Set(amountFields.filter((field) => limit[field] !== undefined));
  const compared = pairs.filter(({ low, high }) => given.has(low) && given.has(high));
  if (compared.length === 0 && !given.has('maxLimitRequestRatio')) return [];
  const names = new Set([...given].flatMap((field) => Object.keys(asObject(limit[field]))));
  return eachOf([...names], (name) => [
    ...compared.flatMap((pair) => {
      const [low, high] = [amountIn(limit, pair.low, name), amountIn(limit, pair.high, name)];
      if (low === undefined || high === undefined || low === high || amountOf(low) <= amountOf(high)) return [];
      const shown = amountIn(limit, 'shown' in pair ? pair.shown : pair.field, name) ?? '';
      const [lowWord, highWord] = pair.words;
      const text = `${lowWord} value ${asString(low)} is greater than ${highWord} value ${asString(high)}`;
      return [invalidValue(`${path}.${pair.field}[${name}]`, shown, text)];
    }),
    ...ratioErrors(limit, name, `${path}.maxLimitRequestRatio[${name}]`),
    ...overcommitErrors(limit, name, `${path}.defaultRequest[${name}]`),
  ]);
}

const amountIn = (limit: JsonObject, field: (typeof amountFields)[number], name: string): JsonValue | undefined =>
  ownValue(asObject(limit[field]), name);

const milli = 1_000_000n;
const one = 1000n * milli;

/** The ratio is at least 1 and no more than what the largest limit over the smallest request comes to. */
function ratioErrors(limit: JsonObject, name: string, field: string): Complaints {
  const said = amountIn(limit, 'maxLimitRequestRatio', name);
  if (said === undefined) return [];
  const reading = canonicalQuantity(asString(said));
  const text = 'text' in reading ? reading.text : asString(said);
  const ratio = amountOf(said);
  const [max, min] = [amountIn(limit, 'max', name), amountIn(limit, 'min', name)].map(amountOf);
  const largest = max && min ? Number(max / milli) / Number(min / milli) : Infinity;
  return [
    ...when(ratio < one, () => invalidValue(field, text, `ratio ${text} is less than 1`)),
    ...when(Number(ratio / milli) / 1000 > largest, () =>
      invalidValue(field, text, `ratio ${text} is greater than max/min = ${largest.toFixed(6)}`),
    ),
  ];
}

/** Of what cannot be promised twice, request and limit are the same. */
function overcommitErrors(limit: JsonObject, name: string, field: string): Complaints {
  const [value, request] = [amountIn(limit, 'default', name), amountIn(limit, 'defaultRequest', name)];
  if (value === undefined || request === undefined || isOvercommitAllowed(name)) return [];
  const text = `default value ${asString(value)} must equal to defaultRequest value ${asString(request)} in ${name}`;
  return when(amountOf(value) !== amountOf(request), () => invalidValue(field, request, text));
}
