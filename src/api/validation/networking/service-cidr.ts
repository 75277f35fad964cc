import { validateOptionalText, validateRequiredText, validateText, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Subdomain, pathSegmentName } from '../../../machinery/meta/names.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import type { IPAddress, ServiceCIDR } from '../../types/generated/networking-v1.ts';
import { isCidr, validateCidr } from '../core/ip-address.ts';
import { immutableText } from '../meta/object-meta.ts';

/** The file follows kubernetes pkg/apis/networking/validation/validation.go. */
export function validateIpAddress(address: IPAddress): FieldErrors {
  const { parentRef } = asObject(address.spec);
  const path = 'spec.parentRef';
  if (parentRef === undefined) return [required(path, '')];
  const { group, resource, name, namespace } = asObject(parentRef);
  return [
    ...validateOptionalText(dns1123Subdomain, `${path}.group`, asString(group)),
    ...validateRequiredText(pathSegmentName, `${path}.resource`, resource),
    ...validateRequiredText(pathSegmentName, `${path}.name`, name),
    ...validateText(pathSegmentName, `${path}.namespace`, asString(namespace)),
  ];
}

export function validateIpAddressUpdate(address: IPAddress, old: IPAddress): FieldErrors {
  const [now, before] = [asObject(address.spec).parentRef, asObject(old.spec).parentRef];
  return errorIf(!sameJson(now, before), () =>
    invalidValue('spec.parentRef', toInternalForm('*networking.ParentReference', now), immutableText),
  );
}

const listCidrs = (object: ServiceCIDR): readonly string[] => asList(asObject(object.spec).cidrs).map(asString);

export function validateServiceCidr(object: ServiceCIDR): FieldErrors {
  const [path, cidrs] = ['spec.cidrs', listCidrs(object)];
  if (cidrs.length === 0) return [required(path, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalidValue(path, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const families = new Set(cidrs.filter(isCidr).map((cidr) => cidr.includes(':')));
  const isDouble = cidrs.length === 2 && cidrs.every(isCidr) && families.size === 1;
  const text = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  return [
    ...cidrs.flatMap((cidr, index) => validateCidr(`${path}[${index}]`, cidr)),
    ...errorIf(isDouble, () => invalidValue(path, cidrs, text)),
  ];
}

/** Ranges are immutable, except that a second one may be added. */
export function validateServiceCidrUpdate(object: ServiceCIDR, old: ServiceCIDR, subresource: string): FieldErrors {
  if (subresource === 'status') return [];
  const [now, before] = [listCidrs(object), listCidrs(old)];
  const changed = now.flatMap((cidr, index) =>
    errorIf(before[index] !== undefined && before[index] !== cidr, () =>
      invalidValue(`spec.cidrs[${index}]`, cidr, immutableText),
    ),
  );
  if (now.length === before.length) return changed;
  if (before.length === 1 && now.length === 2) return [...changed, ...validateServiceCidr(object)];
  return [invalidValue('spec.cidrs', now.length === 0 ? null : now, immutableText)];
}
