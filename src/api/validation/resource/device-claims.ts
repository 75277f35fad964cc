import { invalidTextErrors, requiredTextErrors, noErrors, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, notSupported, required, tooLong, type FieldError } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { byteLength, dns1123Label, dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import type * as resource from '../../types/generated/resource-v1.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import { templateMetaErrors } from '../core/persistent-volume-claim.ts';
import { csiDriverNameErrors } from '../storage/csi.ts';
import { fullyQualifiedNameErrors, limitedListErrors, limitedSetErrors, tolerationErrors } from './device-names.ts';
import { immutableText } from '../meta/object-meta.ts';
import { isNative } from '../core/resources.ts';

/** Validates a CEL expression that selects devices; `stored`: an earlier write accepted it. */
export type SelectorFaults = (expression: string, path: string, stored: boolean) => readonly FieldError[];

// Follows kubernetes pkg/apis/resource/validation/validation.go.

const limits = { requests: 32, subrequests: 8, constraints: 32, config: 32, selectors: 32 } as const;
const maxExpressionLength = 10 * 1024;
const maxParametersLength = 10 * 1024;

export const validateResourceClaim = (
  { apiVersion, spec }: resource.ResourceClaim,
  faults?: SelectorFaults,
): FieldErrors =>
  isOlderForm(apiVersion) ? noErrors : deviceClaimErrors(spec?.devices ?? {}, 'spec.devices', asNew(faults));

export const validateClaimTemplate = (
  { apiVersion, spec }: resource.ResourceClaimTemplate,
  faults?: SelectorFaults,
): FieldErrors => [
  ...templateMetaErrors(spec?.metadata ?? {}, 'spec.metadata'),
  ...(isOlderForm(apiVersion)
    ? noErrors
    : deviceClaimErrors(spec?.spec?.devices ?? {}, 'spec.spec.devices', asNew(faults))),
];

type Faults = ((expression: string, path: string) => FieldErrors) | undefined;

/** The spec is immutable, so expressions are validated on create only. */
const asNew = (faults: SelectorFaults | undefined): Faults =>
  faults && ((expression, path) => faults(expression, path, false));

/** Releases before 1.34 use another form of requests and devices, which is not validated. */
export const isOlderForm = (apiVersion: string): boolean =>
  apiVersion === 'resource.k8s.io/v1alpha3' || apiVersion === 'resource.k8s.io/v1beta1';

/** The spec is immutable. */
export const validateResourceClaimUpdate = (claim: resource.ResourceClaim, old: resource.ResourceClaim): FieldErrors =>
  immutableSpecErrors('resource.ResourceClaimSpec', claim.spec, old.spec);

export const validateClaimTemplateUpdate = (
  template: resource.ResourceClaimTemplate,
  old: resource.ResourceClaimTemplate,
): FieldErrors => immutableSpecErrors('resource.ResourceClaimTemplateSpec', template.spec, old.spec);

const immutableSpecErrors = (type: string, spec: JsonValue | undefined, old: JsonValue | undefined): FieldErrors =>
  errorIf(!sameJson(spec, old), () => invalidValue('spec', toInternalForm(type, spec), immutableText));

export const validateDeviceClass = (deviceClass: resource.DeviceClass, faults?: SelectorFaults): FieldErrors =>
  classErrors(deviceClass, asNew(faults));

function classErrors({ spec }: resource.DeviceClass, faults: Faults): FieldErrors {
  const { selectors, config, extendedResourceName: extended } = spec ?? {};
  return [
    ...limitedListErrors(selectors, 'spec.selectors', limits.selectors, selectorErrors(faults)),
    ...limitedListErrors(config, 'spec.config', limits.config, configurationErrors),
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
  faults?: SelectorFaults,
): FieldErrors {
  const isStored = semanticEqual(deviceClass.spec?.selectors ?? [], old.spec?.selectors ?? []);
  return [...classErrors(deviceClass, faults && ((expression, path) => faults(expression, path, isStored)))];
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

function deviceClaimErrors(claim: resource.DeviceClaim, path: string, faults: Faults): FieldErrors {
  const names = listRequestNames(claim);
  return [
    ...limitedSetErrors(claim.requests, `${path}.requests`, {
      max: limits.requests,
      check: (request, at) => requestErrors(request, at, faults),
      keyOf: ({ name }) => name ?? '',
    }),
    ...limitedListErrors(claim.constraints, `${path}.constraints`, limits.constraints, (one, at) =>
      constraintErrors(one, at, names),
    ),
    ...limitedListErrors(claim.config, `${path}.config`, limits.config, (one, at) =>
      claimConfigurationErrors(one, at, names),
    ),
  ];
}

const oneForm = 'exactly one of `exactly` or `firstAvailable` is required';

function requestErrors(
  { name = '', exactly, firstAvailable = [] }: resource.DeviceRequest,
  path: string,
  faults: Faults,
): FieldErrors {
  return [...invalidTextErrors(dns1123Label, `${path}.name`, name), ...formErrors()];

  function formErrors(): FieldErrors {
    if (firstAvailable.length > 0 && exactly)
      return [invalidValue(path, null, `${oneForm}, but multiple fields are set`)];
    if (exactly) return exactErrors(exactly, `${path}.exactly`, faults);
    if (firstAvailable.length === 0) return [required(path, oneForm)];
    return limitedSetErrors(firstAvailable, `${path}.firstAvailable`, {
      max: limits.subrequests,
      check: (sub, at) => [
        ...invalidTextErrors(dns1123Label, `${at}.name`, sub.name ?? ''),
        ...exactErrors(sub, at, faults),
      ],
      keyOf: (sub) => sub.name ?? '',
    });
  }
}

function exactErrors(
  request: resource.ExactDeviceRequest | resource.DeviceSubRequest,
  path: string,
  faults: Faults,
): FieldErrors {
  return [
    ...requiredTextErrors(dns1123Subdomain, `${path}.deviceClassName`, request.deviceClassName ?? ''),
    ...limitedListErrors(request.selectors, `${path}.selectors`, limits.selectors, selectorErrors(faults)),
    ...modeErrors(request, path),
    ...limitedListErrors(request.tolerations, `${path}.tolerations`, Infinity, tolerationErrors),
  ];
}

function modeErrors({ allocationMode = '', count = 0 }: resource.ExactDeviceRequest, path: string): FieldErrors {
  if (allocationMode === 'All')
    return errorIf(count !== 0, () =>
      invalidValue(`${path}.count`, count, "must not be specified when allocationMode is 'All'"),
    );
  if (allocationMode === 'ExactCount')
    return errorIf(count <= 0, () => invalidValue(`${path}.count`, count, 'must be greater than zero'));
  return [notSupported(`${path}.allocationMode`, allocationMode, ['All', 'ExactCount'])];
}

const selectorErrors =
  (faults: Faults) =>
  ({ cel }: resource.DeviceSelector, path: string): FieldErrors => {
    if (!cel) return [required(`${path}.cel`, '')];
    const { expression = '' } = cel;
    if (byteLength(expression) > maxExpressionLength) return [tooLong(`${path}.cel.expression`, maxExpressionLength)];
    return faults?.(expression, `${path}.cel.expression`) ?? noErrors;
  };

function constraintErrors(
  { requests, matchAttribute, distinctAttribute }: resource.DeviceConstraint,
  path: string,
  names: RequestNames,
): FieldErrors {
  return [...deviceReferenceErrors(requests, `${path}.requests`, names), ...attributeErrors()];

  function attributeErrors(): FieldErrors {
    if (matchAttribute !== undefined) return fullyQualifiedNameErrors(matchAttribute, `${path}.matchAttribute`);
    if (distinctAttribute !== undefined)
      return fullyQualifiedNameErrors(distinctAttribute, `${path}.distinctAttribute`);
    const text = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
    return [required(path, text)];
  }
}

const claimConfigurationErrors = (
  { requests, ...config }: resource.DeviceClaimConfiguration,
  path: string,
  names: RequestNames,
): FieldErrors => [...deviceReferenceErrors(requests, `${path}.requests`, names), ...configurationErrors(config, path)];

export const deviceReferenceErrors = (
  requests: readonly string[] | undefined,
  path: string,
  names: RequestNames,
): FieldErrors =>
  limitedSetErrors(requests, path, {
    max: limits.requests,
    check: (name, at) => requestReferenceErrors(name, at, names),
    keyOf: (name) => name,
  });

const notARequest =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

export function requestReferenceErrors(name: string, path: string, names: RequestNames): FieldErrors {
  const parts = name.split('/', 3);
  const [first = '', second] = parts;
  if (parts.length > 2) return [invalidValue(path, name, notARequest)];
  const subrequests = names.get(first);
  const isKnown = subrequests !== undefined && (second === undefined || subrequests.has(second));
  return [
    ...parts.flatMap((part) => invalidTextErrors(dns1123Label, path, part)),
    ...errorIf(!isKnown, () => invalidValue(path, name, notARequest)),
  ];
}

export function configurationErrors({ opaque }: resource.DeviceConfiguration, path: string): FieldErrors {
  if (!opaque) return [required(`${path}.opaque`, '')];
  return [
    ...csiDriverNameErrors(opaque.driver ?? '', `${path}.opaque.driver`),
    ...rawErrors(opaque.parameters, `${path}.opaque.parameters`, maxParametersLength),
  ];
}

export function rawErrors(raw: JsonValue | undefined, path: string, maxLength: number): FieldErrors {
  if (raw === undefined || raw === null) return [required(path, '')];
  if (byteLength(JSON.stringify(raw)) > maxLength) return [tooLong(path, maxLength)];
  return errorIf(!isJsonObject(raw), () => invalidValue(path, '<value omitted>', 'must be a valid JSON object'));
}
