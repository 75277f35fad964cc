import { asList, asString, isJsonObject, valueAt } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { always, both, each, inside, structDefaults, unlessZero } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

const tcp = { protocol: 'TCP' } as const;

const servicePort = structDefaults({
  ...tcp,
  targetPort: (value, { port }) => (value === undefined || value === 0 || value === '' ? port : value),
});

const typeOf = ({ type }: JsonObject): string => asString(type) || 'ClusterIP';

/** NodePort, LoadBalancer, or a cluster IP with external IPs. */
const isReachedFromOutside = (spec: JsonObject): boolean =>
  ['NodePort', 'LoadBalancer'].includes(typeOf(spec)) ||
  (typeOf(spec) === 'ClusterIP' && asList(spec['externalIPs']).length > 0);

const serviceSpec = structDefaults({
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

const loadBalancerIngress = structDefaults({
  ipMode: (value, { ip }) => value ?? (ip === undefined ? undefined : 'VIP'),
});
const loadBalancerStatus = structDefaults({
  loadBalancer: inside(structDefaults({ ingress: each(loadBalancerIngress) })),
});

const balancerAddresses: Defaulter = structDefaults({
  status: (value, { spec }) =>
    isJsonObject(spec) && isJsonObject(value) && typeOf(spec) === 'LoadBalancer' ? loadBalancerStatus(value) : value,
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Service. */
export const service = both(balancerAddresses, structDefaults({ spec: always(serviceSpec) }));

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Endpoints. */
export const endpoints = structDefaults({
  subsets: each(structDefaults({ ports: each(structDefaults(tcp)) })),
});

/** Follows kubernetes pkg/apis/discovery/v1/defaults.go SetDefaults_EndpointPort. */
export const endpointSlice = structDefaults({
  ports: each(structDefaults({ name: '', ...tcp })),
});

const policyPeers = each(structDefaults({ ports: each(structDefaults(tcp)) }));

/** Follows kubernetes pkg/apis/networking/v1/defaults.go SetDefaults_NetworkPolicy. */
export const networkPolicy = structDefaults({
  spec: always(
    structDefaults({
      ingress: policyPeers,
      egress: policyPeers,
      policyTypes: (value, { egress }) =>
        unlessZero(asList(egress).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'])(value, {}),
    }),
  ),
});

/** Follows kubernetes pkg/apis/networking/v1/defaults.go SetDefaults_IngressClass. */
export const ingressClass = structDefaults({
  spec: inside(
    structDefaults({
      parameters: inside(structDefaults({ scope: 'Cluster' })),
    }),
  ),
});
