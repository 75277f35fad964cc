import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { when } from '../field-rules.ts';
import type { Complaints } from '../field-rules.ts';
import { strictIp } from './ip-address.ts';

/** An address that other machines can mean the same by. Follows kubernetes pkg/apis/core/validation ValidateEndpointIP. */
export function reachableIp(ip: string, field: string): Complaints {
  const errors = strictIp(field, ip);
  return errors.length > 0 ? errors : ownRangeErrors(ip, field);
}

/** What is wrong with the range that an address is in: other machines mean something else by it. */
export function ownRangeErrors(ip: string, field: string): Complaints {
  return [
    ...when(ip === '0.0.0.0' || ip === '::', () => invalidValue(field, ip, `may not be unspecified (${ip})`)),
    ...when(ip.startsWith('127.') || ip === '::1', () =>
      invalidValue(field, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'),
    ),
    ...when(ip.startsWith('169.254.') || /^fe[89ab]/i.test(ip), () =>
      invalidValue(field, ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'),
    ),
    ...when(ip.startsWith('224.0.0.') || /^ff02/i.test(ip), () =>
      invalidValue(field, ip, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'),
    ),
  ];
}
