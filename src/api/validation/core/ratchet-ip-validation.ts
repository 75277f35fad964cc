import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { NetworkPolicy } from '../../types/generated/networking-v1.ts';
import type { Service } from '../../types/generated/core-v1.ts';
import type { FieldErrors } from '../field-rules.ts';

type ValidateUpdate<Kind> = (object: Kind, old: Kind, subresource: string) => FieldErrors;

const unclear: ReadonlySet<string> = new Set([
  'must not have leading 0s',
  'must not be an IPv4-mapped IPv6 address',
  'must not have leading 0s in IP or prefix length',
  'must not have an IPv4-mapped IPv6 address',
  'must not have bits set beyond the prefix length',
]);

/** Errors that releases before 1.36 do not report. */
export const isUnclearAddress = ({ detail }: FieldError): boolean => unclear.has(detail);

/**
 * Tolerates ambiguous addresses that the old object has. Follows apimachinery pkg/util/validation/ip.go
 * IsValidIPForLegacyField.
 */
export const ratchetAddresses =
  <Kind>(
    validateUpdate: ValidateUpdate<Kind>,
    addressesOf: (object: Kind) => readonly string[],
  ): ValidateUpdate<Kind> =>
  (object, old, subresource) => {
    const errors = validateUpdate(object, old, subresource);
    if (!errors.some(isUnclearAddress)) return errors;
    const known = new Set(addressesOf(old));
    return errors.filter((error) => !(isUnclearAddress(error) && known.has(asString(error.given))));
  };

const sourceRanges = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** Follows kubernetes pkg/apis/core/validation validateService. */
export function serviceAddresses(service: Service): readonly string[] {
  const { clusterIPs, externalIPs, loadBalancerSourceRanges } = asObject(service.spec);
  const listed = [clusterIPs, externalIPs, loadBalancerSourceRanges].flatMap((list) => asList(list));
  const annotated = (metadataOf(service).annotations?.[sourceRanges] ?? '').split(',');
  return [...listed.map(asString), ...annotated].map((text) => text.trim());
}

/** Follows kubernetes pkg/apis/networking/validation ValidateNetworkPolicyUpdate. */
export function policyNetworks(policy: NetworkPolicy): readonly string[] {
  const { ingress, egress } = asObject(policy.spec);
  const peers = [
    ...asList(ingress).flatMap((rule) => asList(rule.from)),
    ...asList(egress).flatMap((rule) => asList(rule.to)),
  ];
  return peers.flatMap((peer) => {
    const { cidr, except } = asObject(peer.ipBlock);
    return [asString(cidr), ...asList(except).map(asString)];
  });
}
