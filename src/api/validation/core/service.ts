import {
  validateEnum,
  validateRequiredEnum,
  validateRequiredText,
  validateText,
  validateOptionalEnum,
  validatePortNum,
  type FieldErrors,
  each,
  eachOf,
  eachText,
  noErrors,
  errorIf,
} from '../field-rules.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { LoadBalancerIngress, Service, ServiceSpec } from '../../types/generated/core-v1.ts';
import { validateLabels } from '../meta/labels.ts';
import { validateImmutableField, immutableText } from '../meta/object-meta.ts';
import { isIpAddress, validateLegacyCidr, validateIp } from './ip-address.ts';
import { validateEndpointIP } from './endpoints.ts';
import { validateClusterIps } from './service-cluster-ips.ts';
import { validateServicePorts, validateUniquePorts } from './service-ports.ts';

/** The file follows kubernetes pkg/apis/core/validation ValidateService. */
export function validateService(service: Service): FieldErrors {
  const spec = asObject(service.spec);
  const type = asString(spec.type);
  const ports = asList(spec.ports);
  return [
    ...errorIf(ports.length === 0 && spec.clusterIP !== 'None' && type !== 'ExternalName', () =>
      required('spec.ports', ''),
    ),
    ...validateServiceType(spec, type),
    ...validateServicePorts(ports),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...validateRequiredEnum('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']),
    ...validateSessionAffinity(spec),
    ...validateClusterIps({
      type: asString(spec.type),
      clusterIP: asString(spec.clusterIP),
      clusterIPs: asList(spec.clusterIPs).map(asString),
      ipFamilies: asList(spec.ipFamilies).map(asString),
      ipFamilyPolicy: spec.ipFamilyPolicy ?? undefined,
    }),
    ...eachText(spec.externalIPs, 'spec.externalIPs', validateEndpointIP),
    ...validateRequiredEnum('spec.type', type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...validateUniquePorts(ports, type),
    ...validateLoadBalancerFields(service, spec, type),
    ...validateTrafficPolicies(spec, type),
  ];
}

function validateServiceType(spec: ServiceSpec, type: string): FieldErrors {
  if (type === 'LoadBalancer' || type === 'NodePort') {
    return errorIf(spec.clusterIP === 'None', () =>
      invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`),
    );
  }
  if (type !== 'ExternalName') return [];
  const forbidden = (['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const).filter(
    (field) => spec[field] !== undefined,
  );
  return [
    ...forbidden.map((field) => forbiddenField(`spec.${field}`, 'may not be set for ExternalName services')),
    ...validateRequiredText(dns1123Subdomain, 'spec.externalName', asString(spec.externalName).replace(/\.$/, '')),
  ];
}

function validateSessionAffinity(spec: ServiceSpec): FieldErrors {
  const ingressPath = 'spec.sessionAffinityConfig';
  const { sessionAffinity, sessionAffinityConfig } = spec;
  if (sessionAffinity === 'None') {
    return errorIf(sessionAffinityConfig !== undefined, () =>
      forbiddenField(ingressPath, 'must not be set when session affinity is None'),
    );
  }
  if (sessionAffinity !== 'ClientIP') return [];
  const seconds = asObject(asObject(sessionAffinityConfig).clientIP).timeoutSeconds;
  if (seconds === undefined) return [required(ingressPath, 'when session affinity type is ClientIP')];
  return errorIf(Number(seconds) <= 0 || Number(seconds) > 86400, () =>
    invalidValue(`${ingressPath}.clientIP.timeoutSeconds`, seconds, 'must be greater than 0 and less than 86400'),
  );
}

/** The annotation that preceded loadBalancerSourceRanges. */
function validateSourceRangesAnnotation(service: Service, isBalancer: boolean): FieldErrors {
  const key = 'service.beta.kubernetes.io/load-balancer-source-ranges';
  const text = metadataOf(service).annotations?.[key];
  if (text === undefined) return [];
  const field = `metadata.annotations[${key}]`;
  const ranges = trimSpace(text) === '' ? [] : text.split(',').map((range) => trimSpace(range));
  return [
    ...errorIf(!isBalancer, () => forbiddenField(field, "may only be used when `type` is 'LoadBalancer'")),
    ...eachOf(ranges, (range) => validateLegacyCidr(field, range)),
  ];
}

function validateLoadBalancerFields(service: Service, spec: ServiceSpec, type: string): FieldErrors {
  const ranges = asList(spec.loadBalancerSourceRanges).map(asString);
  const isBalancer = type === 'LoadBalancer';
  const { allocateLoadBalancerNodePorts, loadBalancerClass } = spec;
  return [
    ...errorIf(ranges.length > 0 && !isBalancer, () =>
      forbiddenField('spec.LoadBalancerSourceRanges', onlyForLoadBalancer),
    ),
    ...ranges.flatMap((range, index) =>
      validateLegacyCidr(`spec.LoadBalancerSourceRanges[${index}]`, trimSpace(range)),
    ),
    ...(ranges.length === 0 ? validateSourceRangesAnnotation(service, isBalancer) : []),
    ...errorIf(allocateLoadBalancerNodePorts !== undefined && !isBalancer, () =>
      forbiddenField('spec.allocateLoadBalancerNodePorts', onlyForLoadBalancer),
    ),
    ...errorIf(allocateLoadBalancerNodePorts === undefined && isBalancer, () =>
      required('allocateLoadBalancerNodePorts', ''),
    ),
    ...validateLoadBalancerClassField(loadBalancerClass, type),
  ];
}

const onlyForLoadBalancer = "may only be used when `type` is 'LoadBalancer'";

/** Upstream calls it twice on update. Follows kubernetes pkg/apis/core/validation validateLoadBalancerClassField. */
function validateLoadBalancerClassField(
  loadBalancerClass: JsonValue | undefined,
  type: JsonValue | undefined,
): FieldErrors {
  if (loadBalancerClass === undefined) return noErrors;
  const field = 'spec.loadBalancerClass';
  return type === 'LoadBalancer'
    ? validateText(qualifiedNameErrors, field, asString(loadBalancerClass))
    : [forbiddenField(field, onlyForLoadBalancer)];
}

function validateTrafficPolicies(spec: ServiceSpec, type: string): FieldErrors {
  const policies = ['Cluster', 'Local'];
  const { externalTrafficPolicy, internalTrafficPolicy, healthCheckNodePort = 0 } = spec;
  const isExternal =
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && asList(spec.externalIPs).length > 0);
  const needsCheck = type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
  return [
    ...(isExternal
      ? validateRequiredEnum('spec.externalTrafficPolicy', externalTrafficPolicy, policies)
      : errorIf(externalTrafficPolicy !== undefined, () =>
          invalidValue(
            'spec.externalTrafficPolicy',
            asString(externalTrafficPolicy),
            'may only be set for externally-accessible services',
          ),
        )),
    ...(needsCheck
      ? validateHealthCheckNodePort(Number(healthCheckNodePort))
      : errorIf(healthCheckNodePort !== 0, () =>
          invalidValue(
            'spec.healthCheckNodePort',
            healthCheckNodePort,
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
          ),
        )),
    ...errorIf(internalTrafficPolicy === undefined && ['ClusterIP', 'LoadBalancer', 'NodePort'].includes(type), () =>
      required('spec.internalTrafficPolicy', ''),
    ),
    ...validateOptionalEnum('spec.internalTrafficPolicy', internalTrafficPolicy, policies),
    ...validateOptionalEnum('spec.trafficDistribution', spec.trafficDistribution, [
      'PreferClose',
      'PreferSameZone',
      'PreferSameNode',
    ]),
  ];
}

const validateHealthCheckNodePort = (number: number): FieldErrors =>
  number === 0 ? [required('spec.healthCheckNodePort', '')] : validatePortNum('spec.healthCheckNodePort', number);

/** Follows kubernetes pkg/apis/core/validation ValidateServiceUpdate. */
export function validateServiceUpdate(service: Service, old: Service, subresource: string): FieldErrors {
  if (subresource === 'status') return validateServiceStatus(service, old);
  const [spec, oldSpec] = [asObject(service.spec), asObject(old.spec)];
  const { healthCheckNodePort } = spec;
  const bothChecked = healthCheckNodePort !== undefined && oldSpec.healthCheckNodePort !== undefined;
  return [
    ...validateImmutablePrimaryAddress(spec, oldSpec),
    ...(oldSpec.type === 'LoadBalancer' && spec.type === 'LoadBalancer'
      ? validateImmutableField('spec.loadBalancerClass', spec.loadBalancerClass, oldSpec.loadBalancerClass).map(
          (error) => ({
            ...error,
            detail: 'may not change once set',
          }),
        )
      : []),
    ...validateLoadBalancerClassField(spec.loadBalancerClass, spec.type),
    ...errorIf(bothChecked && healthCheckNodePort !== oldSpec.healthCheckNodePort, () =>
      forbiddenField('spec.healthCheckNodePort', immutableText),
    ),
    ...validateService(service),
  ];
}

/** The primary address and family are immutable, except for ExternalName. */
function validateImmutablePrimaryAddress(spec: ServiceSpec, old: ServiceSpec): FieldErrors {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return [];
  return (['clusterIPs', 'ipFamilies'] as const).flatMap((field) => {
    const [now, before] = [asList(spec[field]), asList(old[field])];
    if (before.length === 0) return [];
    if (now.length === 0) {
      const name = field === 'clusterIPs' ? 'clusterIP' : 'ipFamily';
      return [invalidValue(`spec.${field}[0]`, spec[field] ?? null, `primary ${name} can not be unset`)];
    }
    const text = 'may not change once set';
    const first = errorIf(now[0] !== before[0], () => invalidValue(`spec.${field}[0]`, spec[field] ?? null, text));
    const both = now.length > 1 && before.length > 1;
    return [
      ...first,
      ...errorIf(both && now[1] !== before[1], () => invalidValue(`spec.${field}[1]`, spec[field] ?? null, text)),
    ];
  });
}

const path = 'status.loadBalancer.ingress';

/** Follows kubernetes pkg/apis/core/validation ValidateServiceStatusUpdate. */
function validateServiceStatus(service: Service, old: Service): FieldErrors {
  const ingress = listIngress(service);
  if (asObject(service.spec).type !== 'LoadBalancer' && ingress.length > 0)
    return [forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  const known = new Set(listIngress(old).map((point) => asString(point.ip)));
  return each(ingress, path, (point, at) => [
    ...validateLoadBalancerIngress(point, at, known),
    ...validateLoadBalancerHostname(asString(point.hostname), `${at}.hostname`),
  ]);
}

const listIngress = (service: Service) => asList(service.status?.loadBalancer?.ingress);

/** Existing addresses may be non-canonical. */
function validateLoadBalancerIngress(point: LoadBalancerIngress, at: string, known: ReadonlySet<string>): FieldErrors {
  const [ip, mode] = [asString(point.ip), point.ipMode];
  const field = `${at}.ipMode`;
  const errors = ip === '' || known.has(ip) ? [] : validateIp(`${at}.ip`, ip);
  if (mode === undefined)
    return [...errors, ...errorIf(ip !== '', () => required(field, 'must be specified when `ip` is set'))];
  if (ip === '') return [forbiddenField(field, 'may not be specified when `ip` is not set')];
  return [...errors, ...validateEnum(field, asString(mode), ['Proxy', 'VIP'])];
}

export function validateLoadBalancerHostname(hostname: string, field: string): FieldErrors {
  if (hostname === '') return [];
  return [
    ...validateText(dns1123Subdomain, field, hostname),
    ...errorIf(isIpAddress(hostname), () => invalidValue(field, hostname, 'must be a DNS name, not an IP address')),
  ];
}
