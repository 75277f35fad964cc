import {
  validateOptionalText,
  validateTextPointer,
  validatePortNum,
  validateRequiredEnum,
  each,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { asList, asString } from '../../../machinery/json/json.ts';
import { goQuote, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { dns1123Label, dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import type { EndpointAddress, EndpointPort, Endpoints } from '../../types/generated/core-v1.ts';
import { isIpAddress, notAnIpText, validateIp } from './ip-address.ts';

/** Follows kubernetes pkg/apis/core/validation ValidateEndpoints. */
export const validateEndpoints = (endpoints: Endpoints): FieldErrors =>
  each(endpoints.subsets, 'subsets', (subset, at) => {
    const ports = asList(subset.ports);
    const isEmpty = [subset.addresses, subset.notReadyAddresses].every((list) => asList(list).length === 0);
    return [
      ...errorIf(isEmpty, () => required(at, 'must specify `addresses` or `notReadyAddresses`')),
      ...each(subset.addresses, `${at}.addresses`, validateEndpointAddress),
      ...each(subset.notReadyAddresses, `${at}.notReadyAddresses`, validateEndpointAddress),
      ...each(ports, `${at}.ports`, (item, path) => validateEndpointPort(item, path, ports.length > 1)),
    ];
  });

/** Unchanged subsets are not validated. */
export const validateEndpointsUpdate = (endpoints: Endpoints, old: Endpoints): FieldErrors =>
  semanticEqual(endpoints.subsets ?? null, old.subsets ?? null) ? [] : validateEndpoints(endpoints);

function validateEndpointAddress({ ip, hostname, nodeName }: EndpointAddress, at: string): FieldErrors {
  return [
    ...validateIpFormat(asString(ip), `${at}.ip`),
    ...validateOptionalText(dns1123Label, `${at}.hostname`, hostname),
    ...validateTextPointer(dns1123Subdomain, `${at}.nodeName`, nodeName),
    ...validateIpRange(asString(ip), `${at}.ip`),
  ];
}

function validateIpFormat(ip: string, field: string): FieldErrors {
  if (hasLeadingZeros(ip)) return [invalidValue(field, ip, 'must not have leading 0s')];
  return isIpAddress(ip) ? validateIp(field, ip) : [invalidValue(field, ip, notAnIpText)];
}

function validateIpRange(ip: string, field: string): FieldErrors {
  const read = hasLeadingZeros(ip) ? ip.replaceAll(/\b0+(?=\d)/g, '') : ip;
  if (!isIpAddress(read)) return [invalidValue(field, ip, 'must be a valid IP address')];
  return validateNonSpecialIP(read, field).map((error) => ({ ...error, value: goQuote(ip), given: ip }));
}

const hasLeadingZeros = (ip: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(ip) && ip.split('.').some((part) => /^0\d/.test(part));

function validateEndpointPort(item: EndpointPort, at: string, needsName: boolean): FieldErrors {
  const name = asString(item.name);
  return [
    ...errorIf(name === '' && needsName, () => required(`${at}.name`, '')),
    ...validateOptionalText(dns1123Label, `${at}.name`, name),
    ...validatePortNum(`${at}.port`, Number(item.port ?? 0)),
    ...validateRequiredEnum(`${at}.protocol`, item.protocol, ['SCTP', 'TCP', 'UDP']),
    ...validateTextPointer(qualifiedNameErrors, `${at}.appProtocol`, item.appProtocol),
  ];
}

/** Follows kubernetes pkg/apis/core/validation ValidateEndpointIP. */
export function validateEndpointIP(ip: string, field: string): FieldErrors {
  const errors = validateIp(field, ip);
  return errors.length > 0 ? errors : validateNonSpecialIP(ip, field);
}

export function validateNonSpecialIP(ip: string, field: string): FieldErrors {
  return [
    ...errorIf(ip === '0.0.0.0' || ip === '::', () => invalidValue(field, ip, `may not be unspecified (${ip})`)),
    ...errorIf(ip.startsWith('127.') || ip === '::1', () =>
      invalidValue(field, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'),
    ),
    ...errorIf(ip.startsWith('169.254.') || /^fe[89ab]/i.test(ip), () =>
      invalidValue(field, ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'),
    ),
    ...errorIf(ip.startsWith('224.0.0.') || /^ff02/i.test(ip), () =>
      invalidValue(field, ip, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'),
    ),
  ];
}
