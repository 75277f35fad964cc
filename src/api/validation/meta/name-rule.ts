import { dns1123Label, dns1123Subdomain, pathSegmentName, pathSegmentPrefix } from '../../../machinery/meta/names.ts';
import type { TextCheck } from '../../../machinery/meta/names.ts';
import { canonicalIpErrors } from '../core/ip-address.ts';

/** What a kind's names must look like; `prefix` says that the text is a generateName, to which a suffix will come. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

/** A rule for whole names, used for a generateName with its trailing dash hidden. Follows apimachinery pkg/api/validation/generic.go. */
export const maskingDash =
  (check: TextCheck): NameRule =>
  (name, prefix) =>
    check(prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);

export const subdomainName = maskingDash(dns1123Subdomain);
export const labelName = maskingDash(dns1123Label);

/** Kinds whose names upstream declares ask nothing of a generateName. Follows ValidateObjectMetaWithOpts there. */
export const wholeSubdomain: NameRule = (name, prefix) => (prefix ? [] : dns1123Subdomain(name));

/** Whatever can be one segment of a URL path: RBAC objects, and the least every name must be. */
export const pathSegment: NameRule = (name, prefix) => (prefix ? pathSegmentPrefix(name) : pathSegmentName(name));

/** IPAddresses are named after what they stand for; no suffix is expected. */
export const ipName: NameRule = (name) => canonicalIpErrors('', name).map(({ detail }) => detail);
