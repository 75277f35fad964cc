import { asStrings } from '../pod-control.ts';
import { asList, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { controllerUser } from '../../client.ts';
import { type Controller, followResource } from '../../controller.ts';
import { coreV1 } from '../../served-resources.ts';
import { createWorkQueue } from '../../work-queue.ts';
import { nameOf, namespaceOf } from '../fields.ts';
import { queueKey, toObjectName, type ObjectName } from '../follow-pods.ts';
import { labelOf } from '../history/revisions.ts';
import { services } from './follow-services.ts';
import {
  type EndpointGroup,
  planSlices,
  writeSlices,
  managedSlices,
  serviceLabel,
  managedByLabel,
} from './slice-plan.ts';
import type { Endpoint, EndpointPort } from '../../../api/types/generated/discovery-v1.ts';
import type {
  EndpointAddress,
  EndpointPort as CorePort,
  Endpoints,
  Service,
} from '../../../api/types/generated/core-v1.ts';

export const endpointsResource = coreV1('endpoints');
const managedBy = 'endpointslicemirroring-controller.k8s.io';
const max = 1000;

/**
 * Mirrors the Endpoints of Services without a selector. Follows
 * pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go.
 */
export const endpointSliceMirroring: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('endpointslicemirroring-controller'));
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const endpoints = store.get(endpointsResource, key.namespace, key.name);
    const service: Service | undefined = store.get(services, key.namespace, key.name);
    const existing = managedSlices(store, key, managedBy);
    if (!endpoints || !isMirrored(endpoints) || !service || service.spec?.selector !== undefined) {
      return writeSlices(client, { create: [], update: [], delete: existing }, undefined);
    }
    const own = asStrings(metadataOf(endpoints).labels);
    const labels = { ...own, [serviceLabel]: key.name, [managedByLabel]: managedBy };
    const desired = { groups: groupSubsets(endpoints), addressTypes: [], labels, owner: endpoints, max };
    const plan = planSlices(existing, desired);
    return writeSlices(client, plan, undefined);
  };
  const queue = createWorkQueue(queueKey, sync, context);
  followResource(context, endpointsResource, ({ object }) => queue.add(toObjectName(object)));
  followResource(context, services, ({ object }) => {
    if (store.get(endpointsResource, namespaceOf(object), nameOf(object))) queue.add(toObjectName(object));
  });
  return queue.progress;
};

/** Not those of leader elections or with skip-mirror. Follows shouldMirror. */
const isMirrored = (endpoints: Endpoints): boolean =>
  labelOf(endpoints, 'endpointslice.kubernetes.io/skip-mirror') !== 'true' &&
  metadataOf(endpoints).annotations?.['control-plane.alpha.kubernetes.io/leader'] === undefined;

/** The addresses of each subset by IP family. */
function groupSubsets(endpoints: Endpoints): readonly EndpointGroup[] {
  return asList(endpoints.subsets).flatMap((subset) => {
    const ports = asList(subset.ports).map(toEndpointPort);
    const ready = asList(subset.addresses).map((one) => toEndpoint(one, true));
    const others = asList(subset.notReadyAddresses).map((one) => toEndpoint(one, false));
    const all = [...ready, ...others];
    const isV6 = ({ addresses }: Endpoint): boolean => asString(asList(addresses)[0]).includes(':');
    return [
      { addressType: 'IPv4' as const, ports, endpoints: all.filter((one) => !isV6(one)) },
      { addressType: 'IPv6' as const, ports, endpoints: all.filter(isV6) },
    ];
  });
}

const toEndpointPort = ({ name, protocol, port, appProtocol }: CorePort): EndpointPort => ({
  name: asString(name),
  protocol: asString(protocol),
  ...(port === undefined ? {} : { port }),
  ...(appProtocol === undefined ? {} : { appProtocol }),
});

const toEndpoint = ({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint => ({
  addresses: [asString(ip)],
  conditions: { ready },
  ...(hostname === undefined ? {} : { hostname }),
  ...(targetRef === undefined ? {} : { targetRef }),
  ...(nodeName === undefined ? {} : { nodeName }),
});
