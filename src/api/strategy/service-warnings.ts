import { asList, asObject, asString } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { cidrWarnings, ipWarnings } from '../validation/core/ip-warnings.ts';

const oldHints = 'service.kubernetes.io/topology-aware-hints';

/** What of a Service is ignored or will go. Follows kubernetes pkg/api/service/warnings.go GetWarningsForService. */
export function serviceWarnings(service: KubernetesObject): readonly string[] {
  const spec = asObject(service['spec']);
  const isNamed = spec['type'] === 'ExternalName';
  const isHeadless = spec['type'] === 'ClusterIP' && spec['clusterIP'] === 'None';
  const hasExternalIps = asList(spec['externalIPs']).length > 0;
  const hasSessions = asString(spec['sessionAffinity']) !== 'None';
  const ipsIn = (list: string): readonly string[] =>
    asList(spec[list]).flatMap((ip, index) => ipWarnings(`spec.${list}[${index}]`, asString(ip)));
  const warnings: readonly (readonly [isDue: boolean, text: string | readonly string[]])[] = [
    [
      metadataOf(service).annotations?.[oldHints] !== undefined,
      `annotation ${oldHints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    ],
    [!isHeadless && !isNamed, ipsIn('clusterIPs')],
    [isHeadless && asString(spec['loadBalancerIP']) !== '', 'spec.loadBalancerIP is ignored for headless services'],
    [isHeadless && hasExternalIps, 'spec.externalIPs is ignored for headless services'],
    [isHeadless && hasSessions, 'spec.SessionAffinity is ignored for headless services'],
    [hasExternalIps, ipsIn('externalIPs')],
    [
      hasExternalIps && !isHeadless && !isNamed,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [true, ipWarnings('spec.loadBalancerIP', asString(spec['loadBalancerIP']))],
    [
      true,
      asList(spec['loadBalancerSourceRanges']).flatMap((range, index) =>
        cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, asString(range)),
      ),
    ],
    [isNamed && hasExternalIps, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [
      !isNamed && asString(spec['externalName']) !== '',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
    [
      spec['trafficDistribution'] === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return warnings.flatMap(([isDue, text]) => (isDue ? text : []));
}
