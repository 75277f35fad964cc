import {
  optionalTextErrors,
  setTextErrors,
  portNumberErrors,
  requiredEnumErrors,
  each,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { asList, asString } from '../../../machinery/json/json.ts';
import { goQuote, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { dns1123Label, dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import type { EndpointAddress, EndpointPort, Endpoints } from '../../types/generated/core-v1.ts';
import { isIpAddress, notAnIpText, ipErrors } from './ip-address.ts';

/** Follows kubernetes pkg/apis/core/validation ValidateEndpoints. */
export const validateEndpoints = (endpoints: Endpoints): FieldErrors =>
  each(endpoints.subsets, 'subsets', (subset, at) => {
    const ports = asList(subset.ports);
    const isEmpty = [subset.addresses, subset.notReadyAddresses].every((list) => asList(list).length === 0);
    return [
      ...errorIf(isEmpty, () => required(at, 'must specify `addresses` or `notReadyAddresses`')),
      ...each(subset.addresses, `${at}.addresses`, addressErrors),
      ...each(subset.notReadyAddresses, `${at}.notReadyAddresses`, addressErrors),
      ...each(ports, `${at}.ports`, (item, path) => portErrors(item, path, ports.length > 1)),
    ];
  });

/** Unchanged subsets are not validated. */
export const validateEndpointsUpdate = (endpoints: Endpoints, old: Endpoints): FieldErrors =>
  semanticEqual(endpoints.subsets ?? null, old.subsets ?? null) ? [] : validateEndpoints(endpoints);

function addressErrors({ ip, hostname, nodeName }: EndpointAddress, at: string): FieldErrors {
  return [
    ...formErrors(asString(ip), `${at}.ip`),
    ...optionalTextErrors(dns1123Label, `${at}.hostname`, hostname),
    ...setTextErrors(dns1123Subdomain, `${at}.nodeName`, nodeName),
    ...meaningErrors(asString(ip), `${at}.ip`),
  ];
}

function formErrors(ip: string, field: string): FieldErrors {
  if (hasLeadingZeros(ip)) return [invalidValue(field, ip, 'must not have leading 0s')];
  return isIpAddress(ip) ? ipErrors(field, ip) : [invalidValue(field, ip, notAnIpText)];
}

function meaningErrors(ip: string, field: string): FieldErrors {
  const read = hasLeadingZeros(ip) ? ip.replaceAll(/\b0+(?=\d)/g, '') : ip;
  if (!isIpAddress(read)) return [invalidValue(field, ip, 'must be a valid IP address')];
  return nonSpecialIPErrors(read, field).map((error) => ({ ...error, value: goQuote(ip), given: ip }));
}

const hasLeadingZeros = (ip: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(ip) && ip.split('.').some((part) => /^0\d/.test(part));

function portErrors(item: EndpointPort, at: string, needsName: boolean): FieldErrors {
  const name = asString(item.name);
  return [
    ...errorIf(name === '' && needsName, () => required(`${at}.name`, '')),
    ...optionalTextErrors(dns1123Label, `${at}.name`, name),
    ...portNumberErrors(`${at}.port`, Number(item.port ?? 0)),
    ...requiredEnumErrors(`${at}.protocol`, item.protocol, ['SCTP', 'TCP', 'UDP']),
    ...setTextErrors(qualifiedNameErrors, `${at}.appProtocol`, item.appProtocol),
  ];
}

/** Follows kubernetes pkg/apis/core/validation ValidateEndpointIP. */
export function validateEndpointIP(ip: string, field: string): FieldErrors {
  const errors = ipErrors(field, ip);
  return errors.length > 0 ? errors : nonSpecialIPErrors(ip, field);
}

export function nonSpecialIPErrors(ip: string, field: string): FieldErrors {
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
