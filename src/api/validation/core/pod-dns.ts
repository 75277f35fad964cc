import { invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Subdomain, dns1123SubdomainWithUnderscore } from '../../../machinery/meta/names.ts';
import type { PodSpec } from '../../types/generated/core-v1.ts';
import { each, eachText, following, none, when } from '../field-rules.ts';
import type { Complaints } from '../field-rules.ts';
import { strictIp } from './ip-address.ts';

/** How a pod resolves names. Follows kubernetes pkg/apis/core/validation validatePodDNSConfig. */
export function validateDnsConfig(spec: PodSpec, path: string): Complaints {
  const { dnsPolicy, dnsConfig } = spec;
  if (dnsPolicy !== 'None' && dnsConfig === undefined) return none;
  const { nameservers, searches, options } = asObject(dnsConfig);
  if (dnsPolicy === 'None' && dnsConfig === undefined) {
    return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  }
  if (dnsPolicy === 'None' && asList(nameservers).length === 0) {
    return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  const paths = asList(searches).map(asString);
  return [
    ...when(asList(nameservers).length > 3, () =>
      invalidValue(`${path}.nameservers`, nameservers ?? [], 'must not have more than 3 nameservers'),
    ),
    ...eachText(nameservers, `${path}.nameservers`, (address, at) => strictIp(at, address)),
    ...when(paths.length > 32, () =>
      invalidValue(`${path}.searches`, paths, 'must not have more than 32 search paths'),
    ),
    ...when(paths.join(' ').length > 2048, () =>
      invalidValue(
        `${path}.searches`,
        paths,
        'must not have more than 2048 characters (including spaces) in the search list',
      ),
    ),
    ...eachText(searches, `${path}.searches`, (search, at) =>
      search === '.' ? [] : following(dns1123SubdomainWithUnderscore, at, search.replace(/\.$/, '')),
    ),
    ...each(options, `${path}.options`, (option, at) =>
      when(asString(option.name) === '', () => required(at, 'must not be empty')),
    ),
  ];
}

/** Follows kubernetes pkg/apis/core/validation ValidateHostAliases. */
export const validateHostAliases = (spec: PodSpec, path: string): Complaints =>
  each(spec.hostAliases, path, (alias, at) => {
    const ip = asString(alias.ip);
    return [
      ...strictIp(`${at}.ip`, ip),
      ...eachText(alias.hostnames, `${at}.hostnames`, (name, nameAt) => following(dns1123Subdomain, nameAt, name)),
    ];
  });
