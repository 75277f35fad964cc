import { asStrings } from '../pod-control.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { metadataOf, type StringMap } from '../../../machinery/meta/object.ts';
import { isDeleted, nameOf, namespaceOf, uidOf } from '../fields.ts';
import { isReady, isTerminal, nodeOfPod } from '../pod-state.ts';
import type {
  Container,
  Node,
  ObjectReference,
  Pod,
  Service,
  ServicePort,
} from '../../../api/types/generated/core-v1.ts';
import type { Endpoint, EndpointHints, EndpointPort } from '../../../api/types/generated/discovery-v1.ts';

export type AddressType = 'IPv4' | 'IPv6' | 'FQDN';

export const isHeadless = (service: Service): boolean => ['', 'None'].includes(asString(service.spec?.clusterIP));

const headlessLabel = 'service.kubernetes.io/headless';

/** The labels of a Service as its endpoints have them. */
export function endpointLabels(service: Service): StringMap {
  const { [headlessLabel]: _headless, ...own } = asStrings(metadataOf(service).labels);
  return { ...own, ...(isHeadless(service) ? { [headlessLabel]: '' } : {}) };
}

/** A Service without a selector has no managed endpoints. */
export const selectsPods = (service: Service): boolean =>
  service.spec?.selector !== undefined && service.spec?.type !== 'ExternalName';

export const addressTypesOf = (service: Service): readonly AddressType[] =>
  asList(service.spec?.ipFamilies).map((family) => (family === 'IPv6' ? 'IPv6' : 'IPv4'));

/** It has an address and is not terminated. Follows endpointslice util/controller_utils.go ShouldPodBeInEndpoints. */
export const isReachable = (pod: Pod): boolean => !isTerminal(pod) && podAddresses(pod).length > 0;

const podAddresses = (pod: Pod): readonly string[] =>
  asList(pod.status?.podIPs).map((one) => asString(asObject(one).ip));

export const addressesOfType = (pod: Pod, type: AddressType): readonly string[] =>
  podAddresses(pod).filter((address) => address.includes(':') === (type === 'IPv6'));

/** Includes Pods that are not ready. */
export const publishesNotReady = (service: Service): boolean => service.spec?.publishNotReadyAddresses === true;

export const podReference = (pod: Pod): ObjectReference => ({
  kind: 'Pod',
  namespace: namespaceOf(pod),
  name: nameOf(pod),
  uid: uidOf(pod),
});

/** Its hostname in the domain of the Service. */
export const podHostname = (service: Service, pod: Pod): string =>
  pod.spec?.subdomain === nameOf(service) ? asString(pod.spec?.hostname) : '';

/** Follows k8s.io/endpointslice utils.go podToEndpoint. */
export function podToEndpoint(
  service: Service,
  pod: Pod,
  { node, type }: { readonly node: Node | undefined; readonly type: AddressType },
): Endpoint {
  const serving = isReady(pod);
  const terminating = isDeleted(pod);
  const zone = node && metadataOf(node).labels?.['topology.kubernetes.io/zone'];
  const hostname = podHostname(service, pod);
  const ready = publishesNotReady(service) || (serving && !terminating);
  const hints = ready ? hintsFor(service, { zone: zone ?? '', node: nodeOfPod(pod) }) : {};
  return {
    addresses: addressesOfType(pod, type),
    conditions: { ready, serving, terminating },
    ...(hostname === '' ? {} : { hostname }),
    targetRef: podReference(pod),
    ...(nodeOfPod(pod) === '' ? {} : { nodeName: nodeOfPod(pod) }),
    ...(zone === undefined || zone === '' ? {} : { zone }),
    ...(Object.keys(hints).length === 0 ? {} : { hints }),
  };
}

const nearZone = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** The hints of trafficDistribution. Follows k8s.io/endpointslice trafficdist/trafficdist.go. */
function hintsFor(service: Service, { zone, node }: { readonly zone: string; readonly node: string }): EndpointHints {
  const distribution = asString(service.spec?.trafficDistribution);
  const mode = metadataOf(service).annotations?.[topologyMode] ?? metadataOf(service).annotations?.[topologyHints];
  if (!nearZone.includes(distribution) || mode?.toLowerCase() === 'auto') return {};
  return {
    ...(zone === '' ? {} : { forZones: [{ name: zone }] }),
    ...(node === '' || distribution !== 'PreferSameNode' ? {} : { forNodes: [{ name: node }] }),
  };
}

const topologyMode = 'service.kubernetes.io/topology-mode';
const topologyHints = 'service.kubernetes.io/topology-aware-hints';

/** The Service's ports at this Pod, without named ports that the Pod lacks. Follows getEndpointPorts. */
export function podPorts(service: Service, pod: Pod): readonly EndpointPort[] {
  const ports = asList(service.spec?.ports);
  return ports.flatMap((servicePort) => {
    const { name, protocol, appProtocol } = servicePort;
    const port = portNumber(servicePort, pod);
    if (port === undefined) return [];
    const more = appProtocol === undefined ? {} : { appProtocol };
    return [{ name: asString(name), protocol: asString(protocol), port, ...more }];
  });
}

function portNumber({ targetPort, port, protocol }: ServicePort, pod: Pod): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  if (typeof targetPort !== 'string') return typeof port === 'number' ? port : undefined;
  const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always';
  const containers = [...asList(pod.spec?.containers), ...asList(pod.spec?.initContainers).filter(isSidecar)];
  const found = containers
    .flatMap(({ ports }) => asList(ports))
    .find((one) => one.name === targetPort && one.protocol === protocol);
  return found?.containerPort;
}
