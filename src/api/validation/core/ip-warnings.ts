import { canonicalCidr, canonicalIp } from '../../../machinery/go/ip-address.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { metadataOf, type KubernetesObject } from '../../../machinery/meta/object.ts';

/** Follows apimachinery pkg/util/validation/ip.go GetWarningsForIP. */
export function ipWarnings(field: string, value: string): readonly string[] {
  const ip = canonicalIp(value);
  if (!ip || ip.text === value) return [];
  const [given, wanted] = [JSON.stringify(value), JSON.stringify(ip.text)];
  return ip.isIpv6
    ? [`${field}: IPv6 address ${given} should be in RFC 5952 canonical format (${wanted})`]
    : [`${field}: non-standard IP address ${given} is invalid: use ${wanted}`];
}

/** Follows apimachinery pkg/util/validation/ip.go GetWarningsForCIDR. */
export function cidrWarnings(field: string, value: string): readonly string[] {
  const cidr = canonicalCidr(value);
  if (!cidr || cidr.text === value) return [];
  const [given, wanted] = [JSON.stringify(value), JSON.stringify(cidr.text)];
  const ambiguous = `${field}: CIDR value ${given} is ambiguous in this context (should be ${wanted} or ${JSON.stringify(cidr.single)}?)`;
  const nonStandard = `${field}: non-standard CIDR value ${given} is invalid: use ${wanted}`;
  const [address = '', length = ''] = value.split('/');
  const isNonStandard = cidr.isMapped || /(?:^|\.)0\d/.test(cidr.isIpv6 ? '' : address) || /^0\d/.test(length);
  const found = [...(cidr.hasHostBits ? [ambiguous] : []), ...(isNonStandard ? [nonStandard] : [])];
  if (found.length > 0 || !cidr.isIpv6) return found;
  return [`${field}: IPv6 CIDR value ${given} should be in RFC 5952 canonical format (${wanted})`];
}

const managed = new Set(['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']);

/** Follows kubernetes pkg/registry/discovery/endpointslice/strategy.go warnOnBadIPs. */
export function sliceIpWarnings(slice: KubernetesObject): readonly string[] {
  if (managed.has(metadataOf(slice).labels?.['endpointslice.kubernetes.io/managed-by'] ?? '')) return [];
  return asList(slice['endpoints']).flatMap((endpoint, at) =>
    asList(asObject(endpoint)['addresses']).flatMap((address, index) =>
      ipWarnings(`endpoints[${at}].addresses[${index}]`, asString(address)),
    ),
  );
}

/** Follows kubernetes pkg/registry/core/endpoint/strategy.go endpointsWarnings. */
export function endpointsIpWarnings(endpoints: KubernetesObject): readonly string[] {
  if (metadataOf(endpoints).labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
  return asList(endpoints['subsets']).flatMap((subset, at) =>
    ['addresses', 'notReadyAddresses'].flatMap((list) =>
      asList(asObject(subset)[list]).flatMap((address, index) =>
        ipWarnings(`subsets[${at}].${list}[${index}].ip`, asString(asObject(address)['ip'])),
      ),
    ),
  );
}

/** Follows kubernetes pkg/api/pod/warnings.go. */
export const podIpWarnings = ({ dnsConfig, hostAliases }: JsonObject, path: string): readonly string[] => [
  ...asList(asObject(dnsConfig)['nameservers']).flatMap((address, index) =>
    ipWarnings(`${path}.dnsConfig.nameservers[${index}]`, asString(address)),
  ),
  ...asList(hostAliases).flatMap((alias, index) =>
    ipWarnings(`${path}.hostAliases[${index}].ip`, asString(asObject(alias)['ip'])),
  ),
];

/** Follows kubernetes pkg/registry/networking/networkpolicy/strategy.go networkPolicyWarnings. */
export function policyCidrWarnings(policy: KubernetesObject): readonly string[] {
  const { ingress, egress } = asObject(policy['spec']);
  const ofPeers = (peers: JsonValue | undefined, path: string): readonly string[] =>
    asList(peers).flatMap((peer, index) => {
      const { cidr, except } = asObject(asObject(peer)['ipBlock']);
      const at = `${path}[${index}].ipBlock`;
      const others = asList(except).flatMap((one, k) => cidrWarnings(`${at}.except[${k}]`, asString(one)));
      return [...cidrWarnings(`${at}.cidr`, asString(cidr)), ...others];
    });
  return [
    ...asList(ingress).flatMap((rule, i) => ofPeers(asObject(rule)['from'], `spec.ingress[${i}].from`)),
    ...asList(egress).flatMap((rule, i) => ofPeers(asObject(rule)['to'], `spec.egress[${i}].to`)),
  ];
}

/** Follows kubernetes pkg/registry/core/service/strategy.go, networking/ingress. */
export const balancerIpWarnings = (object: KubernetesObject): readonly string[] =>
  asList(asObject(asObject(object['status'])['loadBalancer'])['ingress']).flatMap((point, index) =>
    ipWarnings(`status.loadBalancer.ingress[${index}]`, asString(asObject(point)['ip'])),
  );

/** Follows kubernetes pkg/registry/core/pod/strategy.go podStatusStrategy. */
export const podStatusIpWarnings = (pod: KubernetesObject): readonly string[] =>
  ['podIPs', 'hostIPs'].flatMap((list) =>
    asList(asObject(pod['status'])[list]).flatMap((entry, index) =>
      ipWarnings(`status.${list}[${index}].ip`, asString(asObject(entry)['ip'])),
    ),
  );
