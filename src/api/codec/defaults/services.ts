import { asList, asString, isJsonObject } from '../../../machinery/json/json.ts';
import { always, chainDefaults, defaultEach, ifPresent, structDefaults, unlessZero } from './struct-defaults.ts';
import type * as networking from '../../types/generated/networking-v1.ts';
import type { EndpointPort, EndpointSlice } from '../../types/generated/discovery-v1.ts';
import type * as core from '../../types/generated/core-v1.ts';

const tcp = { protocol: 'TCP' } as const;

const servicePort = structDefaults<core.ServicePort>({
  ...tcp,
  targetPort: (value, { port }) => (value === undefined || value === 0 || value === '' ? port : value),
});

const serviceType = ({ type }: core.ServiceSpec): string => asString(type) || 'ClusterIP';

const isExternallyAccessible = (spec: core.ServiceSpec): boolean =>
  ['NodePort', 'LoadBalancer'].includes(serviceType(spec)) ||
  (serviceType(spec) === 'ClusterIP' && asList(spec.externalIPs).length > 0);

const serviceSpec = structDefaults<core.ServiceSpec>({
  ports: defaultEach(servicePort),
  type: 'ClusterIP',
  sessionAffinity: 'None',
  externalTrafficPolicy: (value, spec) => value ?? (isExternallyAccessible(spec) ? 'Cluster' : undefined),
  sessionAffinityConfig: (value, { sessionAffinity }) => {
    if (sessionAffinity === undefined || sessionAffinity === 'None') return undefined;
    if (sessionAffinity !== 'ClientIP' || typeof value?.clientIP?.timeoutSeconds === 'number') return value;
    return { clientIP: { timeoutSeconds: 10800 } };
  },
  allocateLoadBalancerNodePorts: (value, spec) => value ?? (serviceType(spec) === 'LoadBalancer' ? true : undefined),
  internalTrafficPolicy: (value, spec) =>
    value ?? (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(serviceType(spec)) ? 'Cluster' : undefined),
});

const loadBalancerIngress = structDefaults<core.LoadBalancerIngress>({
  ipMode: (value, { ip }) => value ?? (ip === undefined ? undefined : 'VIP'),
});
const loadBalancerStatus = structDefaults<core.ServiceStatus>({
  loadBalancer: ifPresent(structDefaults<core.LoadBalancerStatus>({ ingress: defaultEach(loadBalancerIngress) })),
});

const balancerAddresses = structDefaults<core.Service>({
  status: (value, { spec }) =>
    isJsonObject(spec) && isJsonObject(value) && serviceType(spec) === 'LoadBalancer'
      ? loadBalancerStatus(value)
      : value,
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Service. */
export const service = chainDefaults(balancerAddresses, structDefaults<core.Service>({ spec: always(serviceSpec) }));

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Endpoints. */
export const endpoints = structDefaults<core.Endpoints>({
  subsets: defaultEach(
    structDefaults<core.EndpointSubset>({ ports: defaultEach(structDefaults<core.EndpointPort>(tcp)) }),
  ),
});

/** Follows kubernetes pkg/apis/discovery/v1/defaults.go SetDefaults_EndpointPort. */
export const endpointSlice = structDefaults<EndpointSlice>({
  ports: defaultEach(structDefaults<EndpointPort>({ name: '', ...tcp })),
});

const policyPorts = defaultEach(structDefaults<networking.NetworkPolicyPort>(tcp));

/** Follows kubernetes pkg/apis/networking/v1/defaults.go SetDefaults_NetworkPolicy. */
export const networkPolicy = structDefaults<networking.NetworkPolicy>({
  spec: always(
    structDefaults<networking.NetworkPolicySpec>({
      ingress: defaultEach(structDefaults<networking.NetworkPolicyIngressRule>({ ports: policyPorts })),
      egress: defaultEach(structDefaults<networking.NetworkPolicyEgressRule>({ ports: policyPorts })),
      policyTypes: (value, { egress }) =>
        unlessZero(asList(egress).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'])(value),
    }),
  ),
});

/** Follows kubernetes pkg/apis/networking/v1/defaults.go SetDefaults_IngressClass. */
export const ingressClass = structDefaults<networking.IngressClass>({
  spec: ifPresent(
    structDefaults<networking.IngressClassSpec>({
      parameters: ifPresent(structDefaults<networking.IngressClassParametersReference>({ scope: 'Cluster' })),
    }),
  ),
});
