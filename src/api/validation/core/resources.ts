import {
  validateText,
  errorIf,
  type FieldErrors,
  validateOptionalText,
  each,
  eachKey,
  noErrors,
} from '../field-rules.ts';
import {
  invalidValue,
  duplicate,
  fieldNotFound,
  forbiddenField,
  required,
} from '../../../machinery/meta/field-error.ts';
import { qualifiedNameErrors, dns1123Label } from '../../../machinery/meta/names.ts';
import { asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { parseAmount, isWhole } from '../meta/quantity-amount.ts';
import { ownValue } from '../../../machinery/meta/object.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type { ResourceRequirements } from '../../types/generated/core-v1.ts';

/** The file follows kubernetes pkg/apis/core/helper/helpers.go. */
const quotaResources = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);
const otherResources = new Set(['storage', 'requests.hugepages-', 'hugepages-']);
const containerResources = new Set(['cpu', 'memory', 'ephemeral-storage']);

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** No domain, or kubernetes.io. Follows kubernetes pkg/apis/core/helper/helpers.go IsNativeResource. */
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

export const isOvercommitAllowed = (name: string): boolean => isNative(name) && !isHugePages(name);

export const isQuotaResource = (name: string): boolean => quotaResources.has(name) || isQuotaHugePages(name);

const isQuotaHugePages = (name: string): boolean =>
  isHugePages(name) || name.startsWith('requests.hugepages-') || name.startsWith('limits.hugepages-');

/** Follows kubernetes pkg/apis/core/validation validateResourceName. */
export function validateResourceName(name: string, field: string): FieldErrors {
  const errors = validateText(qualifiedNameErrors, field, name);
  if (errors.length > 0) return errors;
  return errorIf(!name.includes('/') && !(isQuotaResource(name) || otherResources.has(name)), () =>
    invalidValue(field, name, 'must be a standard resource type or fully qualified'),
  );
}

/** Follows kubernetes pkg/apis/core/validation validateContainerResourceName. */
export function validateContainerResourceName(name: string, field: string): FieldErrors {
  const errors = validateResourceName(name, field);
  if (!name.includes('/')) {
    const isKnown = containerResources.has(name) || isHugePages(name);
    return isKnown ? errors : [...errors, invalidValue(field, name, 'must be a standard resource for containers')];
  }
  const isExtended =
    isNative(name) || (!name.startsWith('requests.') && qualifiedNameErrors(`requests.${name}`).length === 0);
  return isExtended ? errors : [...errors, invalidValue(field, name, "doesn't follow extended resource name standard")];
}

/** Follows kubernetes pkg/apis/core/validation ValidateResourceQuotaResourceName. */
export function validateResourceQuotaResourceName(name: string, field: string): FieldErrors {
  const errors = validateResourceName(name, field);
  const isWrong = !name.includes('/') && !isQuotaResource(name);
  return isWrong ? [...errors, invalidValue(field, name, 'must be a standard resource for quota')] : errors;
}

type ValidateName = (name: string, field: string) => FieldErrors;

/** Follows kubernetes pkg/apis/core/validation validateResourceRequirements. */
export function validateResourceRequirements(
  value: ResourceRequirements | undefined,
  path: string,
  claimNames: readonly string[],
  nameCheck: ValidateName = validateContainerResourceName,
): FieldErrors {
  if (value === undefined) return [];
  const resources = asObject(value);
  const limits = asObject(resources.limits);
  const requests = asObject(resources.requests);
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  return [
    ...eachKey(limits, (name) => validateResourceAmount(name, limits[name], `${path}.limits[${name}]`, nameCheck)),
    ...eachKey(requests, (name) => [
      ...validateResourceAmount(name, requests[name], `${path}.requests[${name}]`, nameCheck),
      ...validateRequestWithinLimit(name, requests[name], ownValue(limits, name), path),
    ]),
    ...errorIf(names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'), () =>
      forbiddenField(path, 'HugePages require cpu or memory'),
    ),
    ...validateResourceClaimNames(resources, `${path}.claims`, claimNames),
  ];
}

const validateResourceAmount = (
  name: string,
  amount: JsonValue | undefined,
  field: string,
  nameCheck: ValidateName,
): FieldErrors => [
  ...nameCheck(name, field),
  ...validateResourceQuantityValue(name, amount, field),
  ...errorIf(isHugePages(name) && !isWholePages(name, amount), () =>
    invalidValue(field, asString(amount), `${asString(amount)} is not positive integer multiple of ${name}`),
  ),
];

/** Follows kubernetes pkg/apis/core/helper IsHugePageResourceValueDivisible. */
function isWholePages(name: string, amount: JsonValue | undefined): boolean {
  const size = name.slice('hugepages-'.length);
  return parseAmount(size) > 0n && isWhole(size) && parseAmount(amount) % parseAmount(size) === 0n;
}

const integerResources = new Set([
  'pods',
  'replicationcontrollers',
  'services',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'resourcequotas',
  'services.nodeports',
  'services.loadbalancers',
]);

/** Follows kubernetes pkg/apis/core/validation ValidateResourceQuantityValue. */
export function validateResourceQuantityValue(name: string, amount: JsonValue | undefined, field: string): FieldErrors {
  const isInteger = integerResources.has(name) || name.startsWith('count/') || !isNative(name);
  return [
    ...errorIf(parseAmount(amount) < 0n, () => invalidValue(field, amount ?? '', 'must be greater than or equal to 0')),
    ...errorIf(isInteger && !isWhole(amount), () => invalidValue(field, amount ?? '', 'must be an integer')),
  ];
}

function validateRequestWithinLimit(
  name: string,
  request: JsonValue | undefined,
  limit: JsonValue | undefined,
  path: string,
): FieldErrors {
  if (limit === undefined) {
    return errorIf(!isOvercommitAllowed(name), () =>
      required(`${path}.limits`, 'Limit must be set for non overcommitable resources'),
    );
  }
  const [wanted, limitAmount] = [parseAmount(request), parseAmount(limit)];
  const rule = isOvercommitAllowed(name) ? 'less than or equal to' : 'equal to';
  const isWrong = isOvercommitAllowed(name) ? wanted > limitAmount : wanted !== limitAmount;
  return errorIf(isWrong, () =>
    invalidValue(`${path}.requests`, request ?? '', `must be ${rule} ${name} limit of ${asString(limit)}`),
  );
}

function validateResourceClaimNames(
  resources: ResourceRequirements,
  path: string,
  claimNames: readonly string[],
): FieldErrors {
  if (resources.claims === undefined) return noErrors;
  const seen = new Set<string>();
  return each(resources.claims, path, (claim, at) => {
    const [name, request] = [asString(claim.name), asString(claim.request)];
    if (name === '') return [required(at, '')];
    const key = request === '' ? name : `${name}/${request}`;
    const isRepeated = seen.has(name) || isDuplicate(seen, key);
    const named = [...new Set(claimNames)].filter((item) => item !== '').toSorted();
    const known = named.length === 0 ? ' which is empty' : `: ${named.join(', ')}`;
    return [
      ...validateOptionalText(dns1123Label, `${at}.request`, request),
      ...errorIf(isRepeated, () => duplicate(at, key)),
      ...errorIf(!claimNames.includes(name), () => ({
        ...fieldNotFound(at, name),
        detail: `must be one of the names in pod.spec.resourceClaims${known}`,
      })),
    ];
  });
}
