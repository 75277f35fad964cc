import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import type { LoadBalancerIngress, Service } from '../../types/generated/core-v1.ts';
import { each, following, when } from '../field-rules.ts';
import type { Complaints } from '../field-rules.ts';
import { isIpAddress, strictIp } from './ip-address.ts';

const path = 'status.loadBalancer.ingress';

/** Where a load balancer listens. Follows kubernetes pkg/apis/core/validation ValidateServiceStatusUpdate. */
export function validateServiceStatus(service: Service, old: Service): Complaints {
  const ingress = ingressOf(service);
  if (asObject(service.spec).type !== 'LoadBalancer' && ingress.length > 0)
    return [forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  const known = new Set(ingressOf(old).map((point) => asString(point.ip)));
  return each(ingress, path, (point, at) => [
    ...addressErrors(point, at, known),
    ...hostnameErrors(asString(point.hostname), `${at}.hostname`),
  ]);
}

const ingressOf = (service: Service) => asList(service.status?.loadBalancer?.ingress);

/** An address that was there before may be written in an old way. */
function addressErrors(point: LoadBalancerIngress, at: string, known: ReadonlySet<string>): Complaints {
  const [ip, mode] = [asString(point.ip), point.ipMode];
  const field = `${at}.ipMode`;
  const errors = ip === '' || known.has(ip) ? [] : strictIp(`${at}.ip`, ip);
  if (mode === undefined)
    return [...errors, ...when(ip !== '', () => required(field, 'must be specified when `ip` is set'))];
  if (ip === '') return [forbiddenField(field, 'may not be specified when `ip` is not set')];
  const modes = ['Proxy', 'VIP'];
  return modes.includes(asString(mode)) ? errors : [...errors, notSupported(field, asString(mode), modes)];
}

function hostnameErrors(hostname: string, field: string): Complaints {
  if (hostname === '') return [];
  return [
    ...following(dns1123Subdomain, field, hostname),
    ...when(isIpAddress(hostname), () => invalidValue(field, hostname, 'must be a DNS name, not an IP address')),
  ];
}
