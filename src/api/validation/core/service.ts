import { trimSpace } from '../../../machinery/go/trim-space.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { LoadBalancerIngress, Service, ServiceSpec } from '../../types/generated/core-v1.ts';
import {
  type Complaints,
  each,
  eachOf,
  eachText,
  following,
  none,
  oneOf,
  oneOfIfSet,
  port,
  requiredText,
  when,
} from '../field-rules.ts';
import { validateLabels } from '../meta/labels.ts';
import { immutable, immutableText } from '../meta/object-meta.ts';
import { isIpAddress, legacyCidr, strictIp } from './ip-address.ts';
import { reachableIp } from './endpoints.ts';
import { validateClusterIps } from './service-cluster-ips.ts';
import { portErrors, repeatedPortErrors } from './service-ports.ts';

/** The file follows kubernetes pkg/apis/core/validation ValidateService. */
export function validateService(service: Service): Complaints {
  const spec = asObject(service.spec);
  const type = asString(spec.type);
  const ports = asList(spec.ports);
  return [
    ...when(ports.length === 0 && spec.clusterIP !== 'None' && type !== 'ExternalName', () =>
      required('spec.ports', ''),
    ),
    ...typeErrors(spec, type),
    ...portErrors(ports),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...oneOf('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']),
    ...affinityErrors(spec),
    ...validateClusterIps(clusterIpFields(spec)),
    ...eachText(spec.externalIPs, 'spec.externalIPs', reachableIp),
    ...oneOf('spec.type', type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...repeatedPortErrors(ports, type),
    ...loadBalancerErrors(service, spec, type),
    ...trafficErrors(spec, type),
  ];
}

const clusterIpFields = (spec: ServiceSpec): Parameters<typeof validateClusterIps>[0] => ({
  type: asString(spec.type),
  clusterIP: asString(spec.clusterIP),
  clusterIPs: asList(spec.clusterIPs).map(asString),
  ipFamilies: asList(spec.ipFamilies).map(asString),
  ipFamilyPolicy: spec.ipFamilyPolicy ?? undefined,
});

function typeErrors(spec: ServiceSpec, type: string): Complaints {
  if (type === 'LoadBalancer' || type === 'NodePort') {
    return when(spec.clusterIP === 'None', () =>
      invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`),
    );
  }
  if (type !== 'ExternalName') return [];
  const forbidden = (['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const).filter(
    (field) => spec[field] !== undefined,
  );
  return [
    ...forbidden.map((field) => forbiddenField(`spec.${field}`, 'may not be set for ExternalName services')),
    ...requiredText(dns1123Subdomain, 'spec.externalName', asString(spec.externalName).replace(/\.$/, '')),
  ];
}

function affinityErrors(spec: ServiceSpec): Complaints {
  const path = 'spec.sessionAffinityConfig';
  const { sessionAffinity, sessionAffinityConfig } = spec;
  if (sessionAffinity === 'None') {
    return when(sessionAffinityConfig !== undefined, () =>
      forbiddenField(path, 'must not be set when session affinity is None'),
    );
  }
  if (sessionAffinity !== 'ClientIP') return [];
  const seconds = asObject(asObject(sessionAffinityConfig).clientIP).timeoutSeconds;
  if (seconds === undefined) return [required(path, 'when session affinity type is ClientIP')];
  return when(Number(seconds) <= 0 || Number(seconds) > 86400, () =>
    invalidValue(`${path}.clientIP.timeoutSeconds`, seconds, 'must be greater than 0 and less than 86400'),
  );
}

/** The annotation that preceded loadBalancerSourceRanges. */
function annotatedRanges(service: Service, isBalancer: boolean): Complaints {
  const key = 'service.beta.kubernetes.io/load-balancer-source-ranges';
  const text = metadataOf(service).annotations?.[key];
  if (text === undefined) return [];
  const field = `metadata.annotations[${key}]`;
  const ranges = trimSpace(text) === '' ? [] : text.split(',').map((range) => trimSpace(range));
  return [
    ...when(!isBalancer, () => forbiddenField(field, "may only be used when `type` is 'LoadBalancer'")),
    ...eachOf(ranges, (range) => legacyCidr(field, range)),
  ];
}

function loadBalancerErrors(service: Service, spec: ServiceSpec, type: string): Complaints {
  const ranges = asList(spec.loadBalancerSourceRanges).map(asString);
  const isBalancer = type === 'LoadBalancer';
  const { allocateLoadBalancerNodePorts, loadBalancerClass } = spec;
  return [
    ...when(ranges.length > 0 && !isBalancer, () => forbiddenField('spec.LoadBalancerSourceRanges', onlyThere)),
    ...ranges.flatMap((range, index) => legacyCidr(`spec.LoadBalancerSourceRanges[${index}]`, trimSpace(range))),
    ...(ranges.length === 0 ? annotatedRanges(service, isBalancer) : []),
    ...when(allocateLoadBalancerNodePorts !== undefined && !isBalancer, () =>
      forbiddenField('spec.allocateLoadBalancerNodePorts', onlyThere),
    ),
    ...when(allocateLoadBalancerNodePorts === undefined && isBalancer, () =>
      required('allocateLoadBalancerNodePorts', ''),
    ),
    ...classErrors(loadBalancerClass, type),
  ];
}

const onlyThere = "may only be used when `type` is 'LoadBalancer'";

/** Upstream calls it twice on update. Follows kubernetes pkg/apis/core/validation validateLoadBalancerClassField. */
function classErrors(loadBalancerClass: JsonValue | undefined, type: JsonValue | undefined): Complaints {
  if (loadBalancerClass === undefined) return none;
  const field = 'spec.loadBalancerClass';
  return type === 'LoadBalancer'
    ? following(qualifiedNameErrors, field, asString(loadBalancerClass))
    : [forbiddenField(field, onlyThere)];
}

function trafficErrors(spec: ServiceSpec, type: string): Complaints {
  const policies = ['Cluster', 'Local'];
  const { externalTrafficPolicy, internalTrafficPolicy, healthCheckNodePort = 0 } = spec;
  const isExternal =
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && asList(spec.externalIPs).length > 0);
  const needsCheck = type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
  return [
    ...(isExternal
      ? oneOf('spec.externalTrafficPolicy', externalTrafficPolicy, policies)
      : when(externalTrafficPolicy !== undefined, () =>
          invalidValue(
            'spec.externalTrafficPolicy',
            asString(externalTrafficPolicy),
            'may only be set for externally-accessible services',
          ),
        )),
    ...(needsCheck
      ? healthCheckErrors(Number(healthCheckNodePort))
      : when(healthCheckNodePort !== 0, () =>
          invalidValue(
            'spec.healthCheckNodePort',
            healthCheckNodePort,
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
          ),
        )),
    ...when(internalTrafficPolicy === undefined && ['ClusterIP', 'LoadBalancer', 'NodePort'].includes(type), () =>
      required('spec.internalTrafficPolicy', ''),
    ),
    ...oneOfIfSet('spec.internalTrafficPolicy', internalTrafficPolicy, policies),
    ...oneOfIfSet('spec.trafficDistribution', spec.trafficDistribution, [
      'PreferClose',
      'PreferSameZone',
      'PreferSameNode',
    ]),
  ];
}

const healthCheckErrors = (number: number): Complaints =>
  number === 0 ? [required('spec.healthCheckNodePort', '')] : port('spec.healthCheckNodePort', number);

/** Follows kubernetes pkg/apis/core/validation ValidateServiceUpdate. */
export function validateServiceUpdate(service: Service, old: Service, subresource: string): Complaints {
  if (subresource === 'status') return validateServiceStatus(service, old);
  const [spec, oldSpec] = [asObject(service.spec), asObject(old.spec)];
  const { healthCheckNodePort } = spec;
  const bothChecked = healthCheckNodePort !== undefined && oldSpec.healthCheckNodePort !== undefined;
  return [
    ...addressChanges(spec, oldSpec),
    ...(oldSpec.type === 'LoadBalancer' && spec.type === 'LoadBalancer'
      ? classChange(spec.loadBalancerClass, oldSpec.loadBalancerClass)
      : []),
    ...classErrors(spec.loadBalancerClass, spec.type),
    ...when(bothChecked && healthCheckNodePort !== oldSpec.healthCheckNodePort, () =>
      forbiddenField('spec.healthCheckNodePort', immutableText),
    ),
    ...validateService(service),
  ];
}

const classChange = (loadBalancerClass: JsonValue | undefined, old: JsonValue | undefined): Complaints =>
  immutable('spec.loadBalancerClass', loadBalancerClass, old).map((error) => ({
    ...error,
    detail: 'may not change once set',
  }));

/** The primary address and family are immutable, except for ExternalName. */
function addressChanges(spec: ServiceSpec, old: ServiceSpec): Complaints {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return [];
  return (['clusterIPs', 'ipFamilies'] as const).flatMap((field) => {
    const [now, before] = [asList(spec[field]), asList(old[field])];
    if (before.length === 0) return [];
    if (now.length === 0) {
      const name = field === 'clusterIPs' ? 'clusterIP' : 'ipFamily';
      return [invalidValue(`spec.${field}[0]`, spec[field] ?? null, `primary ${name} can not be unset`)];
    }
    const text = 'may not change once set';
    const first = when(now[0] !== before[0], () => invalidValue(`spec.${field}[0]`, spec[field] ?? null, text));
    const both = now.length > 1 && before.length > 1;
    return [
      ...first,
      ...when(both && now[1] !== before[1], () => invalidValue(`spec.${field}[1]`, spec[field] ?? null, text)),
    ];
  });
}

const path = 'status.loadBalancer.ingress';

/** Follows kubernetes pkg/apis/core/validation ValidateServiceStatusUpdate. */
function validateServiceStatus(service: Service, old: Service): Complaints {
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

/** Existing addresses may be non-canonical. */
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
