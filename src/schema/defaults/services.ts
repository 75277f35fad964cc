import { asList, asString, isJsonObject, valueAt } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { always, both, each, inside, structDefaults, unlessZero } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

const tcp = { protocol: 'TCP' } as const;

const servicePort = structDefaults('core.v1.ServicePort', {
  ...tcp,
  targetPort: (value, { port }) => (value === undefined || value === 0 || value === '' ? port : value),
});

const typeOf = ({ type }: JsonObject): string => asString(type) || 'ClusterIP';

/** NodePort, LoadBalancer, or a cluster IP with external IPs. */
const isReachedFromOutside = (spec: JsonObject): boolean =>
  ['NodePort', 'LoadBalancer'].includes(typeOf(spec)) ||
  (typeOf(spec) === 'ClusterIP' && asList(spec['externalIPs']).length > 0);

const serviceSpec = structDefaults('core.v1.ServiceSpec', {
  ports: each(servicePort),
  type: 'ClusterIP',
  sessionAffinity: 'None',
  externalTrafficPolicy: (value, spec) => value ?? (isReachedFromOutside(spec) ? 'Cluster' : undefined),
  sessionAffinityConfig: (value, { sessionAffinity }) => {
    if (sessionAffinity === undefined || sessionAffinity === 'None') return undefined;
    if (sessionAffinity !== 'ClientIP' || typeof valueAt(value, 'clientIP', 'timeoutSeconds') === 'number')
      return value;
    return { clientIP: { timeoutSeconds: 10800 } };
  },
  allocateLoadBalancerNodePorts: (value, spec) => value ?? (typeOf(spec) === 'LoadBalancer' ? true : undefined),
  internalTrafficPolicy: (value, spec) =>
    value ?? (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(typeOf(spec)) ? 'Cluster' : undefined),
});

const loadBalancerIngress = structDefaults('core.v1.LoadBalancerIngress', {
  ipMode: (value, { ip }) => value ?? (ip === undefined ? undefined : 'VIP'),
});
const loadBalancerStatus = structDefaults('core.v1.ServiceStatus', {
  loadBalancer: inside(structDefaults('core.v1.LoadBalancerStatus', { ingress: each(loadBalancerIngress) })),
});

const balancerAddresses: Defaulter = structDefaults('core.v1.Service', {
  status: (value, { spec }) =>
    isJsonObject(spec) && isJsonObject(value) && typeOf(spec) === 'LoadBalancer' ? loadBalancerStatus(value) : value,
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Service. */
export const service = both(balancerAddresses, structDefaults('core.v1.Service', { spec: always(serviceSpec) }));

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Endpoints. */
export const endpoints = structDefaults('core.v1.Endpoints', {
  subsets: each(structDefaults('core.v1.EndpointSubset', { ports: each(structDefaults('core.v1.EndpointPort', tcp)) })),
});

/** Follows kubernetes pkg/apis/discovery/v1/defaults.go SetDefaults_EndpointPort. */
export const endpointSlice = structDefaults('discovery.v1.EndpointSlice', {
  ports: each(structDefaults('discovery.v1.EndpointPort', { name: '', ...tcp })),
});

const policyPeers = (name: 'networking.v1.NetworkPolicyIngressRule' | 'networking.v1.NetworkPolicyEgressRule') =>
  each(structDefaults(name, { ports: each(structDefaults('networking.v1.NetworkPolicyPort', tcp)) }));

/** Follows kubernetes pkg/apis/networking/v1/defaults.go SetDefaults_NetworkPolicy. */
export const networkPolicy = structDefaults('networking.v1.NetworkPolicy', {
  spec: always(
    structDefaults('networking.v1.NetworkPolicySpec', {
      ingress: policyPeers('networking.v1.NetworkPolicyIngressRule'),
      egress: policyPeers('networking.v1.NetworkPolicyEgressRule'),
      policyTypes: (value, { egress }) =>
        unlessZero(asList(egress).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'])(value, {}),
    }),
  ),
});

/** Follows kubernetes pkg/apis/networking/v1/defaults.go SetDefaults_IngressClass. */
export const ingressClass = structDefaults('networking.v1.IngressClass', {
  spec: inside(
    structDefaults('networking.v1.IngressClassSpec', {
      parameters: inside(structDefaults('networking.v1.IngressClassParametersReference', { scope: 'Cluster' })),
    }),
  ),
});
