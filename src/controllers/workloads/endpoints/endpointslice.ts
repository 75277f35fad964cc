import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { plainError } from '../../../machinery/meta/status.ts';
import { controllerUser } from '../../client.ts';
import { type Controller, type ControllerContext, followResource } from '../../controller.ts';
import { coreV1 } from '../../served-resources.ts';
import { createWorkQueue, progressOf } from '../../work-queue.ts';
import { createEventRecorder } from '../event-recorder.ts';
import { isDeleted, nameOf, namespaceOf } from '../fields.ts';
import { keyOfName, type ObjectName } from '../follow-pods.ts';
import { labelOf } from '../history/revisions.ts';
import { controllerReference } from '../ownership.ts';
import { pods } from '../pod-control.ts';
import { followServices, isSelected, services } from './follow-services.ts';
import {
  addressesOfType,
  type AddressType,
  addressTypesOf,
  endpointNodeName,
  endpointOf,
  isHeadless,
  isReachable,
  offersUnready,
  portsAt,
  selectsPods,
} from './service-endpoint.ts';
import { type EndpointGroup, endpointSlices, planSlices, writeSlices } from './slice-plan.ts';
import { createTriggerTimes } from './trigger-times.ts';
import type { EndpointSlice } from '../../../api/types/generated/discovery-v1.ts';
import type { Service } from '../../../api/types/generated/core-v1.ts';

const managedBy = 'endpointslice-controller.k8s.io';
const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
const serviceLabel = 'kubernetes.io/service-name';
const headlessLabel = 'service.kubernetes.io/headless';
const max = 100;

/** Maintains the EndpointSlices of Services. Follows pkg/controller/endpointslice/endpointslice_controller.go. */
export const endpointSliceController: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('endpointslice-controller'));
  const recorder = createEventRecorder('endpoint-slice-controller', client, context);
  const triggers = createTriggerTimes();
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const service = store.get(services, key.namespace, key.name);
    if (!service) triggers.forget(keyOfName(key));
    if (!service || !selectsPods(service) || isDeleted(service)) return ok(undefined);
    const chosen = store.list(pods, key.namespace).filter((pod) => isSelected(service, pod));
    const triggerTime = triggers.next(keyOfName(key), service, chosen);
    const isOwn = (slice: EndpointSlice): boolean =>
      labelOf(slice, serviceLabel) === key.name && labelOf(slice, managedByLabel) === managedBy && !isDeleted(slice);
    const existing = store.list(endpointSlices, key.namespace).filter(isOwn);
    const { groups, stray } = groupsOf(service, chosen, store);
    const plan = planSlices(existing, {
      groups,
      addressTypes: addressTypesOf(service),
      labels: labelsOf(service),
      bare: (addressType) => newSlice(service, addressType),
      max,
    });
    const written = await writeSlices(client, plan, triggerTime);
    const result = written.ok && stray !== undefined ? refuse(plainError(stray)) : written;
    if (!result.ok) {
      const message = `Error updating Endpoint Slices for Service ${keyOfName(key)}: ${result.status.message ?? ''}`;
      recorder.event(service, 'Warning', 'FailedToUpdateEndpointSlices', message);
    }
    return written;
  };
  const queue = createWorkQueue(keyOfName, sync, context);
  followServices(context, queue.add);
  followResource(context, endpointSlices, ({ type, object }) => {
    const name = labelOf(object, serviceLabel);
    const isOwn = name !== '' && labelOf(object, managedByLabel) === managedBy;
    if (isOwn && type === 'removed') queue.add({ namespace: namespaceOf(object), name });
  });
  return progressOf([queue.progress, recorder.progress]);
};

interface Grouped {
  readonly groups: readonly EndpointGroup[];
  /** The node of a Pod is missing: it may have been deleted. */
  readonly stray: string | undefined;
}

function groupsOf(service: Service, chosen: readonly KubernetesObject[], store: ControllerContext['store']): Grouped {
  const groups = new Map<string, EndpointGroup>();
  let stray: string | undefined;
  const reachable = chosen.filter(isReachable);
  for (const addressType of addressTypesOf(service)) {
    for (const pod of reachable) {
      const ports = portsAt(service, pod);
      const key = JSON.stringify([addressType, ports]);
      const group = groups.get(key) ?? { addressType, ports, endpoints: [] };
      groups.set(key, group);
      const node = store.get(coreV1('nodes'), '', endpointNodeName(pod));
      if (!node && !offersUnready(service)) {
        const name = `${namespaceOf(service)}/${nameOf(service)}`;
        stray ??= `skipping Pod ${nameOf(pod)} for Service ${name}: Node ${endpointNodeName(pod)} Not Found`;
      } else if (addressesOfType(pod, addressType).length > 0) {
        const endpoint = endpointOf(service, pod, { node, type: addressType });
        groups.set(key, { ...group, endpoints: [...group.endpoints, endpoint] });
      }
    }
  }
  return { groups: [...groups.values()], stray };
}

function labelsOf(service: Service): Readonly<Record<string, string>> {
  const reserved = [serviceLabel, managedByLabel, headlessLabel];
  const own = Object.entries(metadataOf(service).labels ?? {}).map(([key, value]) => [key, value ?? ''] as const);
  return {
    ...Object.fromEntries(own.filter(([key]) => !reserved.includes(key))),
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceLabel]: nameOf(service),
    [managedByLabel]: managedBy,
  };
}

/** Follows newEndpointSlice; empty lists are nil as protobuf decodes them. */
const newSlice = (service: Service, addressType: AddressType): EndpointSlice => ({
  kind: 'EndpointSlice',
  apiVersion: 'discovery.k8s.io/v1',
  metadata: {
    generateName: `${nameOf(service)}-`,
    namespace: namespaceOf(service),
    ownerReferences: [controllerReference(service)],
  },
  addressType,
  endpoints: null,
  ports: null,
});
