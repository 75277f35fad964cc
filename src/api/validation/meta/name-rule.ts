import { dns1123Label, dns1123Subdomain, pathSegmentName, pathSegmentPrefix } from '../../../machinery/meta/names.ts';
import type { TextCheck } from '../../../machinery/meta/names.ts';
import { canonicalIpErrors } from '../core/ip-address.ts';

/** `prefix`: the text is a generateName. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

/** Checks a generateName without its trailing dash. Follows apimachinery pkg/api/validation/generic.go. */
export const maskingDash =
  (check: TextCheck): NameRule =>
  (name, prefix) =>
    check(prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);

export const subdomainName = maskingDash(dns1123Subdomain);
export const labelName = maskingDash(dns1123Label);

/** Kinds with declarative name validation do not check generateName. Follows ValidateObjectMetaWithOpts. */
export const wholeSubdomain: NameRule = (name, prefix) => (prefix ? [] : dns1123Subdomain(name));

/** RBAC objects, and the minimum for every name. */
export const pathSegment: NameRule = (name, prefix) => (prefix ? pathSegmentPrefix(name) : pathSegmentName(name));

export const ipName: NameRule = (name) => canonicalIpErrors('', name).map(({ detail }) => detail);
