import {
  validateRequiredEnum,
  validateTextPointer,
  validateText,
  validateOptionalText,
  validateUnique,
  validateEnum,
  each,
  eachText,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { invalidValue, required, tooMany } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import {
  dns1123Label,
  dns1123Subdomain,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../../machinery/meta/names.ts';
import type * as discovery from '../../types/generated/discovery-v1.ts';
import { protocols } from '../core/containers.ts';
import { validateCanonicalIp, validateIp } from '../core/ip-address.ts';
import { validateLabels } from '../meta/labels.ts';
import { validateImmutableField } from '../meta/object-meta.ts';
import { validateEndpointIP } from '../core/endpoints.ts';

/** Follows kubernetes pkg/apis/discovery/validation ValidateEndpointSlice. */
export const validateEndpointSlice = (slice: discovery.EndpointSlice): FieldErrors => [
  ...validateRequiredEnum('addressType', slice.addressType, ['FQDN', 'IPv4', 'IPv6']),
  ...validatePorts(slice.ports),
  ...validateEndpoints(slice),
];

export const validateEndpointSliceUpdate = (
  slice: discovery.EndpointSlice,
  old: discovery.EndpointSlice,
): FieldErrors => [
  ...validateEndpointSlice(sameJson(slice.endpoints, old.endpoints) ? { ...slice, endpoints: [] } : slice),
  ...validateImmutableField('addressType', slice.addressType, old.addressType),
];

const limits = { endpoints: 1000, addresses: 100, ports: 20_000, topology: 16, hints: 8 } as const;

function validateEndpoints({ endpoints, addressType }: discovery.EndpointSlice): FieldErrors {
  const count = asList(endpoints).length;
  if (count > limits.endpoints) return [tooMany('endpoints', count, limits.endpoints)];
  return each(endpoints, 'endpoints', (endpoint, at) => {
    const { addresses, nodeName, deprecatedTopology, hostname, hints } = endpoint;
    const path = `${at}.addresses`;
    const [length, labels] = [asList(addresses).length, Object.keys(asObject(deprecatedTopology)).length];
    return [
      ...errorIf(length === 0, () => required(path, 'must contain at least 1 address')),
      ...errorIf(length > limits.addresses, () => tooMany(path, length, limits.addresses)),
      ...eachText(addresses, path, (address, place) => validateAddress(asString(addressType), address, path, place)),
      ...validateTextPointer(dns1123Subdomain, `${at}.nodeName`, nodeName),
      ...errorIf(labels > limits.topology, () => tooMany(`${at}.deprecatedTopology`, labels, limits.topology)),
      ...validateLabels(deprecatedTopology, `${at}.deprecatedTopology`),
      ...validateTextPointer(dns1123Label, `${at}.hostname`, hostname),
      ...validateHints(asObject(hints), `${at}.hints`),
    ];
  });
}

function validateAddress(type: string, address: string, list: string, path: string): FieldErrors {
  if (type === 'FQDN') return validateFullyQualifiedDomainName(address, path);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const isLegacy = type === 'IPv4';
  const errors = isLegacy ? validateIp(path, address) : validateCanonicalIp(path, address);
  if (errors.length > 0) return errors;
  const isOther = address.includes(':') === isLegacy;
  const text = `must be an ${type} address`;
  return [...errorIf(isOther, () => invalidValue(list, address, text)), ...validateEndpointIP(address, path)];
}

/** Follows apimachinery pkg/util/validation IsFullyQualifiedDomainName. */
function validateFullyQualifiedDomainName(text: string, path: string): FieldErrors {
  if (text === '') return [required(path, '')];
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const errors = validateText(dns1123Subdomain, path, name);
  if (errors.length > 0) return errors;
  const labels = name.split('.');
  if (labels.length < 2)
    return [invalidValue(path, name, 'should be a domain with at least two segments separated by dots')];
  return labels.flatMap((label) => validateText(dns1123Label, path, label));
}

function validatePorts(ports: readonly discovery.EndpointPort[] | null | undefined): FieldErrors {
  const count = asList(ports).length;
  if (count > limits.ports) return [tooMany('ports', count, limits.ports)];
  const seen = new Set<string>();
  return each(ports, 'ports', ({ name, protocol, appProtocol }, at) => {
    const text = asString(name);
    return [
      ...validateOptionalText(dns1123Label, `${at}.name`, text),
      ...validateUnique(seen, `${at}.name`, text),
      ...validateEnum(`${at}.protocol`, asString(protocol), protocols),
      ...validateTextPointer(qualifiedNameErrors, `${at}.appProtocol`, appProtocol),
    ];
  });
}

function validateHints({ forZones, forNodes }: discovery.EndpointHints, path: string): FieldErrors {
  const zones = asList(forZones).length;
  if (zones > limits.hints) return [tooMany(`${path}.forZones`, zones, limits.hints)];
  const nodes = asList(forNodes).length;
  return [
    ...validateUniqueNames(forZones, `${path}.forZones`, labelValueErrors),
    ...(nodes > limits.hints
      ? [tooMany(`${path}.forNodes`, nodes, limits.hints)]
      : validateUniqueNames(forNodes, `${path}.forNodes`, dns1123Subdomain)),
  ];
}

function validateUniqueNames(
  list: readonly discovery.ForZone[] | readonly discovery.ForNode[] | undefined,
  path: string,
  rule: (text: string) => readonly string[],
): FieldErrors {
  const seen = new Set<string>();
  return each(list, path, (item, at) => {
    const name = asString(item.name);
    return [...validateUnique(seen, `${at}.name`, name), ...validateText(rule, `${at}.name`, name)];
  });
}
