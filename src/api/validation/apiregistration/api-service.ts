import {
  validateRequiredFields,
  validateOptionalText,
  validateText,
  validateOptionalEnum,
  each,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { computeDecodedLength } from '../core/config-data.ts';
import { goQuote, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1035Label, dns1123Subdomain, pathSegmentName, portNumber } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { APIService, APIServiceSpec, ServiceReference } from '../../types/generated/apiregistration-v1.ts';
import { validateObjectMeta, type NameRule } from '../meta/object-meta.ts';

/** Follows kube-aggregator pkg/apis/apiregistration/validation/validation.go ValidateAPIService. */
export function validateApiService(service: APIService): FieldErrors {
  const spec = asObject(service.spec);
  const [group, version] = [asString(spec.group), asString(spec.version)];
  return [
    ...validateObjectMeta(metadataOf(service), false, createVersionedNameRule(`${version}.${group}`)),
    ...errorIf(group === '' && version !== 'v1', () =>
      required('spec.group', 'only v1 may have an empty group and it better be legacy kube'),
    ),
    ...validateOptionalText(dns1123Subdomain, 'spec.group', group),
    ...validateText(dns1035Label, 'spec.version', version),
    ...validatePriority('spec.groupPriorityMinimum', spec.groupPriorityMinimum, 20_000),
    ...validatePriority('spec.versionPriority', spec.versionPriority, 1000),
    ...(isJsonObject(spec.service) ? validateServiceReference(spec, spec.service) : validateLocal(spec)),
  ];
}

/** Upstream's text; the limit itself is allowed. */
const validatePriority = (field: string, value: JsonValue | undefined, max: number): FieldErrors =>
  errorIf(!(Number(value ?? 0) > 0 && Number(value) <= max), () =>
    invalidValue(field, value ?? 0, `must be positive and less than ${max}`),
  );

/** Upstream checks generateName as if it were the name. */
const createVersionedNameRule =
  (expected: string): NameRule =>
  (name) => {
    const errors = pathSegmentName(name);
    return errors.length > 0 || name === expected
      ? errors
      : [`must be \`spec.version+"."+spec.group\`: ${goQuote(expected)}`];
  };

function validateLocal({ caBundle, insecureSkipTLSVerify }: APIServiceSpec): FieldErrors {
  const bytes = computeDecodedLength(asString(caBundle));
  return [
    ...errorIf(bytes > 0, () =>
      invalidValue('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle'),
    ),
    ...errorIf(insecureSkipTLSVerify === true, () =>
      invalidValue('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'),
    ),
  ];
}

function validateServiceReference(
  { caBundle, insecureSkipTLSVerify }: APIServiceSpec,
  service: ServiceReference,
): FieldErrors {
  const { port } = service;
  const ofPort = portNumber(Number(port ?? 0));
  return [
    ...validateRequiredFields(service, 'spec.service', 'namespace', 'name'),
    ...errorIf(ofPort.length > 0, () =>
      invalidValue('spec.service.port', port ?? 0, `port is not valid: ${ofPort.join(', ')}`),
    ),
    ...errorIf(insecureSkipTLSVerify === true && asString(caBundle) !== '', () =>
      invalidValue('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'),
    ),
  ];
}

export const validateApiServiceUpdate = (service: APIService, _old: APIService, subresource: string): FieldErrors =>
  subresource === 'status'
    ? each(asList(asObject(service.status).conditions), 'status.conditions', ({ status }, path) =>
        validateOptionalEnum(`${path}.status`, status ?? '', ['False', 'True', 'Unknown']),
      )
    : validateApiService(service);
