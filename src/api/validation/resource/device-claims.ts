import { validateText, validateRequiredText, noErrors, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, notSupported, required, tooLong, type FieldError } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { byteLength, dns1123Label, dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import type * as resource from '../../types/generated/resource-v1.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import { validateTemplateObjectMeta } from '../core/persistent-volume-claim.ts';
import { validateCsiDriverName } from '../storage/csi.ts';
import { validateFullyQualifiedName, validateSlice, validateSet, validateDeviceToleration } from './device-names.ts';
import { immutableText } from '../meta/object-meta.ts';
import { isNative } from '../core/resources.ts';

/** Validates a CEL expression that selects devices; `stored`: an earlier write accepted it. */
export type ValidateSelector = (expression: string, path: string, stored: boolean) => readonly FieldError[];

// Follows kubernetes pkg/apis/resource/validation/validation.go.

const limits = { requests: 32, subrequests: 8, constraints: 32, config: 32, selectors: 32 } as const;
const maxExpressionLength = 10 * 1024;
const maxParametersLength = 10 * 1024;

export const validateResourceClaim = (
  { apiVersion, spec }: resource.ResourceClaim,
  faults?: ValidateSelector,
): FieldErrors =>
  isOlderForm(apiVersion) ? noErrors : validateDeviceClaim(spec?.devices ?? {}, 'spec.devices', asNew(faults));

export const validateResourceClaimTemplate = (
  { apiVersion, spec }: resource.ResourceClaimTemplate,
  faults?: ValidateSelector,
): FieldErrors => [
  ...validateTemplateObjectMeta(spec?.metadata ?? {}, 'spec.metadata'),
  ...(isOlderForm(apiVersion)
    ? noErrors
    : validateDeviceClaim(spec?.spec?.devices ?? {}, 'spec.spec.devices', asNew(faults))),
];

type ValidateNewSelector = ((expression: string, path: string) => FieldErrors) | undefined;

/** The spec is immutable, so expressions are validated on create only. */
const asNew = (faults: ValidateSelector | undefined): ValidateNewSelector =>
  faults && ((expression, path) => faults(expression, path, false));

/** Releases before 1.34 use another form of requests and devices, which is not validated. */
export const isOlderForm = (apiVersion: string): boolean =>
  apiVersion === 'resource.k8s.io/v1alpha3' || apiVersion === 'resource.k8s.io/v1beta1';

/** The spec is immutable. */
export const validateResourceClaimUpdate = (claim: resource.ResourceClaim, old: resource.ResourceClaim): FieldErrors =>
  validateImmutableSpec('resource.ResourceClaimSpec', claim.spec, old.spec);

export const validateResourceClaimTemplateUpdate = (
  template: resource.ResourceClaimTemplate,
  old: resource.ResourceClaimTemplate,
): FieldErrors => validateImmutableSpec('resource.ResourceClaimTemplateSpec', template.spec, old.spec);

const validateImmutableSpec = (type: string, spec: JsonValue | undefined, old: JsonValue | undefined): FieldErrors =>
  errorIf(!sameJson(spec, old), () => invalidValue('spec', toInternalForm(type, spec), immutableText));

export const validateDeviceClass = (deviceClass: resource.DeviceClass, faults?: ValidateSelector): FieldErrors =>
  validateDeviceClassSpec(deviceClass, asNew(faults));

function validateDeviceClassSpec({ spec }: resource.DeviceClass, faults: ValidateNewSelector): FieldErrors {
  const { selectors, config, extendedResourceName: extended } = spec ?? {};
  return [
    ...validateSlice(selectors, 'spec.selectors', limits.selectors, createSelectorValidation(faults)),
    ...validateSlice(config, 'spec.config', limits.config, validateDeviceConfiguration),
    ...errorIf(extended !== undefined && !isExtendedResourceName(extended), () =>
      invalidValue('spec.extendedResourceName', extended ?? '', 'must be a valid extended resource name'),
    ),
  ];
}

/** Unchanged selectors may use features of later versions. */
export function validateDeviceClassUpdate(
  deviceClass: resource.DeviceClass,
  old: resource.DeviceClass,
  _subresource: string,
  faults?: ValidateSelector,
): FieldErrors {
  const isStored = semanticEqual(deviceClass.spec?.selectors ?? [], old.spec?.selectors ?? []);
  return [
    ...validateDeviceClassSpec(deviceClass, faults && ((expression, path) => faults(expression, path, isStored))),
  ];
}

/** Follows kubernetes pkg/apis/core/v1/helper IsExtendedResourceName. */
const isExtendedResourceName = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && qualifiedNameErrors(`requests.${name}`).length === 0;

/** Subrequest names by request name. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export const listRequestNames = ({ requests }: resource.DeviceClaim): RequestNames =>
  new Map(
    (requests ?? []).map(({ name = '', firstAvailable = [] }) => [
      name,
      new Set(firstAvailable.map((sub) => sub.name ?? '')),
    ]),
  );

function validateDeviceClaim(claim: resource.DeviceClaim, path: string, faults: ValidateNewSelector): FieldErrors {
  const names = listRequestNames(claim);
  return [
    ...validateSet(claim.requests, `${path}.requests`, {
      max: limits.requests,
      check: (request, at) => validateDeviceRequest(request, at, faults),
      keyOf: ({ name }) => name ?? '',
    }),
    ...validateSlice(claim.constraints, `${path}.constraints`, limits.constraints, (one, at) =>
      validateDeviceConstraint(one, at, names),
    ),
    ...validateSlice(claim.config, `${path}.config`, limits.config, (one, at) =>
      validateDeviceClaimConfiguration(one, at, names),
    ),
  ];
}

const oneForm = 'exactly one of `exactly` or `firstAvailable` is required';

function validateDeviceRequest(
  { name = '', exactly, firstAvailable = [] }: resource.DeviceRequest,
  path: string,
  faults: ValidateNewSelector,
): FieldErrors {
  return [...validateText(dns1123Label, `${path}.name`, name), ...formErrors()];

  function formErrors(): FieldErrors {
    if (firstAvailable.length > 0 && exactly)
      return [invalidValue(path, null, `${oneForm}, but multiple fields are set`)];
    if (exactly) return validateExactDeviceRequest(exactly, `${path}.exactly`, faults);
    if (firstAvailable.length === 0) return [required(path, oneForm)];
    return validateSet(firstAvailable, `${path}.firstAvailable`, {
      max: limits.subrequests,
      check: (sub, at) => [
        ...validateText(dns1123Label, `${at}.name`, sub.name ?? ''),
        ...validateExactDeviceRequest(sub, at, faults),
      ],
      keyOf: (sub) => sub.name ?? '',
    });
  }
}

function validateExactDeviceRequest(
  request: resource.ExactDeviceRequest | resource.DeviceSubRequest,
  path: string,
  faults: ValidateNewSelector,
): FieldErrors {
  return [
    ...validateRequiredText(dns1123Subdomain, `${path}.deviceClassName`, request.deviceClassName ?? ''),
    ...validateSlice(request.selectors, `${path}.selectors`, limits.selectors, createSelectorValidation(faults)),
    ...validateAllocationMode(request, path),
    ...validateSlice(request.tolerations, `${path}.tolerations`, Infinity, validateDeviceToleration),
  ];
}

function validateAllocationMode(
  { allocationMode = '', count = 0 }: resource.ExactDeviceRequest,
  path: string,
): FieldErrors {
  if (allocationMode === 'All')
    return errorIf(count !== 0, () =>
      invalidValue(`${path}.count`, count, "must not be specified when allocationMode is 'All'"),
    );
  if (allocationMode === 'ExactCount')
    return errorIf(count <= 0, () => invalidValue(`${path}.count`, count, 'must be greater than zero'));
  return [notSupported(`${path}.allocationMode`, allocationMode, ['All', 'ExactCount'])];
}

const createSelectorValidation =
  (faults: ValidateNewSelector) =>
  ({ cel }: resource.DeviceSelector, path: string): FieldErrors => {
    if (!cel) return [required(`${path}.cel`, '')];
    const { expression = '' } = cel;
    if (byteLength(expression) > maxExpressionLength) return [tooLong(`${path}.cel.expression`, maxExpressionLength)];
    return faults?.(expression, `${path}.cel.expression`) ?? noErrors;
  };

function validateDeviceConstraint(
  { requests, matchAttribute, distinctAttribute }: resource.DeviceConstraint,
  path: string,
  names: RequestNames,
): FieldErrors {
  return [...validateRequestNames(requests, `${path}.requests`, names), ...attributeErrors()];

  function attributeErrors(): FieldErrors {
    if (matchAttribute !== undefined) return validateFullyQualifiedName(matchAttribute, `${path}.matchAttribute`);
    if (distinctAttribute !== undefined)
      return validateFullyQualifiedName(distinctAttribute, `${path}.distinctAttribute`);
    const text = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
    return [required(path, text)];
  }
}

const validateDeviceClaimConfiguration = (
  { requests, ...config }: resource.DeviceClaimConfiguration,
  path: string,
  names: RequestNames,
): FieldErrors => [
  ...validateRequestNames(requests, `${path}.requests`, names),
  ...validateDeviceConfiguration(config, path),
];

export const validateRequestNames = (
  requests: readonly string[] | undefined,
  path: string,
  names: RequestNames,
): FieldErrors =>
  validateSet(requests, path, {
    max: limits.requests,
    check: (name, at) => validateRequestNameRef(name, at, names),
    keyOf: (name) => name,
  });

const notARequestText =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

export function validateRequestNameRef(name: string, path: string, names: RequestNames): FieldErrors {
  const parts = name.split('/', 3);
  const [first = '', second] = parts;
  if (parts.length > 2) return [invalidValue(path, name, notARequestText)];
  const subrequests = names.get(first);
  const isKnown = subrequests !== undefined && (second === undefined || subrequests.has(second));
  return [
    ...parts.flatMap((part) => validateText(dns1123Label, path, part)),
    ...errorIf(!isKnown, () => invalidValue(path, name, notARequestText)),
  ];
}

export function validateDeviceConfiguration({ opaque }: resource.DeviceConfiguration, path: string): FieldErrors {
  if (!opaque) return [required(`${path}.opaque`, '')];
  return [
    ...validateCsiDriverName(opaque.driver ?? '', `${path}.opaque.driver`),
    ...validateRawExtension(opaque.parameters, `${path}.opaque.parameters`, maxParametersLength),
  ];
}

export function validateRawExtension(raw: JsonValue | undefined, path: string, maxLength: number): FieldErrors {
  if (raw === undefined || raw === null) return [required(path, '')];
  if (byteLength(JSON.stringify(raw)) > maxLength) return [tooLong(path, maxLength)];
  return errorIf(!isJsonObject(raw), () => invalidValue(path, '<value omitted>', 'must be a valid JSON object'));
}
