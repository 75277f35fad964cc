import { canonicalCidr, canonicalIp } from '../../apimachinery/canonical-ip.ts';
import { flatMapInTurns } from '../../apimachinery/in-turns.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';

/** What may be refused one day. Follows apimachinery pkg/util/validation/ip.go GetWarningsForIP. */
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
  const strange = `${field}: non-standard CIDR value ${given} is invalid: use ${wanted}`;
  const [address = '', length = ''] = value.split('/');
  const isStrange = cidr.isMapped || /(?:^|\.)0\d/.test(cidr.isIpv6 ? '' : address) || /^0\d/.test(length);
  const found = [...(cidr.hasHostBits ? [ambiguous] : []), ...(isStrange ? [strange] : [])];
  if (found.length > 0 || !cidr.isIpv6) return found;
  return [`${field}: IPv6 CIDR value ${given} should be in RFC 5952 canonical format (${wanted})`];
}

const managed = new Set(['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']);

/** Follows kubernetes pkg/registry/discovery/endpointslice/strategy.go warnOnBadIPs. */
export function sliceIpWarnings(slice: KubernetesObject): readonly string[] {
  if (managed.has(metadataOf(slice).labels?.['endpointslice.kubernetes.io/managed-by'] ?? '')) return [];
  return flatMapInTurns(asList(slice['endpoints']), (endpoint, at) =>
    flatMapInTurns(asList(asObject(endpoint)['addresses']), (address, index) =>
      ipWarnings(`endpoints[${at}].addresses[${index}]`, asString(address)),
    ),
  );
}

/** Follows kubernetes pkg/registry/core/endpoint/strategy.go endpointsWarnings. */
export function endpointsIpWarnings(endpoints: KubernetesObject): readonly string[] {
  if (metadataOf(endpoints).labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
  return flatMapInTurns(asList(endpoints['subsets']), (subset, at) =>
    ['addresses', 'notReadyAddresses'].flatMap((list) =>
      flatMapInTurns(asList(asObject(subset)[list]), (address, index) =>
        ipWarnings(`subsets[${at}].${list}[${index}].ip`, asString(asObject(address)['ip'])),
      ),
    ),
  );
}

/** Follows kubernetes pkg/api/pod/warnings.go. */
export const podIpWarnings = ({ dnsConfig, hostAliases }: JsonObject, path: string): readonly string[] => [
  ...flatMapInTurns(asList(asObject(dnsConfig)['nameservers']), (address, index) =>
    ipWarnings(`${path}.dnsConfig.nameservers[${index}]`, asString(address)),
  ),
  ...flatMapInTurns(asList(hostAliases), (alias, index) =>
    ipWarnings(`${path}.hostAliases[${index}].ip`, asString(asObject(alias)['ip'])),
  ),
];

/** Follows kubernetes pkg/registry/networking/networkpolicy/strategy.go networkPolicyWarnings. */
export function policyCidrWarnings(policy: KubernetesObject): readonly string[] {
  const { ingress, egress } = asObject(policy['spec']);
  const ofPeers = (peers: JsonValue | undefined, path: string): readonly string[] =>
    flatMapInTurns(asList(peers), (peer, index) => {
      const { cidr, except } = asObject(asObject(peer)['ipBlock']);
      const at = `${path}[${index}].ipBlock`;
      const others = flatMapInTurns(asList(except), (one, k) => cidrWarnings(`${at}.except[${k}]`, asString(one)));
      return [...cidrWarnings(`${at}.cidr`, asString(cidr)), ...others];
    });
  return [
    ...flatMapInTurns(asList(ingress), (rule, i) => ofPeers(asObject(rule)['from'], `spec.ingress[${i}].from`)),
    ...flatMapInTurns(asList(egress), (rule, i) => ofPeers(asObject(rule)['to'], `spec.egress[${i}].to`)),
  ];
}

/** Of the status of a Service or an Ingress. Follows kubernetes pkg/registry/core/service/strategy.go, networking/ingress. */
export const balancerIpWarnings = (object: KubernetesObject): readonly string[] =>
  flatMapInTurns(asList(asObject(asObject(object['status'])['loadBalancer'])['ingress']), (point, index) =>
    ipWarnings(`status.loadBalancer.ingress[${index}]`, asString(asObject(point)['ip'])),
  );

/** Follows kubernetes pkg/registry/core/pod/strategy.go podStatusStrategy. */
export const podStatusIpWarnings = (pod: KubernetesObject): readonly string[] =>
  ['podIPs', 'hostIPs'].flatMap((list) =>
    flatMapInTurns(asList(asObject(pod['status'])[list]), (entry, index) =>
      ipWarnings(`status.${list}[${index}].ip`, asString(asObject(entry)['ip'])),
    ),
  );
