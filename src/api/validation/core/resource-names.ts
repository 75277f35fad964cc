import { invalidIf } from '../value-rules.ts';
import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { errorIf, type FieldErrors } from '../field-rules.ts';

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
export function resourceNameErrors(name: string, field: string): FieldErrors {
  const errors = invalidIf(qualifiedNameErrors, field, name);
  if (errors.length > 0) return errors;
  return errorIf(!name.includes('/') && !(isQuotaResource(name) || otherResources.has(name)), () =>
    invalidValue(field, name, 'must be a standard resource type or fully qualified'),
  );
}

/** Follows kubernetes pkg/apis/core/validation validateContainerResourceName. */
export function containerResourceName(name: string, field: string): FieldErrors {
  const errors = resourceNameErrors(name, field);
  if (!name.includes('/')) {
    const isKnown = containerResources.has(name) || isHugePages(name);
    return isKnown ? errors : [...errors, invalidValue(field, name, 'must be a standard resource for containers')];
  }
  const isExtended =
    isNative(name) || (!name.startsWith('requests.') && qualifiedNameErrors(`requests.${name}`).length === 0);
  return isExtended ? errors : [...errors, invalidValue(field, name, "doesn't follow extended resource name standard")];
}

/** Follows kubernetes pkg/apis/core/validation ValidateResourceQuotaResourceName. */
export function quotaResourceName(name: string, field: string): FieldErrors {
  const errors = resourceNameErrors(name, field);
  const isWrong = !name.includes('/') && !isQuotaResource(name);
  return isWrong ? [...errors, invalidValue(field, name, 'must be a standard resource for quota')] : errors;
}
