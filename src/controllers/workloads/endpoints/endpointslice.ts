import { nodeOfPod } from '../pod-state.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { plainError } from '../../../machinery/meta/status.ts';
import { controllerUser } from '../../client.ts';
import { type Controller, type ControllerContext, followResource } from '../../controller.ts';
import { coreV1 } from '../../served-resources.ts';
import { createWorkQueue, combineProgress } from '../../work-queue.ts';
import { createEventRecorder } from '../event-recorder.ts';
import { isDeleted, nameOf, namespaceOf } from '../fields.ts';
import { queueKey, type ObjectName } from '../follow-pods.ts';
import { labelOf } from '../history/revisions.ts';
import { followServices, services, selectedPods } from './follow-services.ts';
import {
  addressesOfType,
  addressTypesOf,
  podToEndpoint,
  isReachable,
  publishesNotReady,
  podPorts,
  selectsPods,
  endpointLabels,
} from './service-endpoint.ts';
import {
  type EndpointGroup,
  endpointSlices,
  planSlices,
  writeSlices,
  managedSlices,
  serviceLabel,
  managedByLabel,
} from './slice-plan.ts';
import { createTriggerTimes } from './trigger-times.ts';
import type { Service } from '../../../api/types/generated/core-v1.ts';

const managedBy = 'endpointslice-controller.k8s.io';
const max = 100;

/** Maintains the EndpointSlices of Services. Follows pkg/controller/endpointslice/endpointslice_controller.go. */
export const endpointSliceController: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('endpointslice-controller'));
  const recorder = createEventRecorder('endpoint-slice-controller', client, context);
  const triggers = createTriggerTimes();
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const service = store.get(services, key.namespace, key.name);
    if (!service) triggers.forget(queueKey(key));
    if (!service || !selectsPods(service) || isDeleted(service)) return ok(undefined);
    const chosen = selectedPods(store, service);
    const triggerTime = triggers.next(queueKey(key), service, chosen);
    const { groups, stray } = groupEndpoints(service, chosen, store);
    const plan = planSlices(managedSlices(store, key, managedBy), {
      groups,
      addressTypes: addressTypesOf(service),
      labels: { ...endpointLabels(service), [serviceLabel]: nameOf(service), [managedByLabel]: managedBy },
      owner: service,
      max,
    });
    const written = await writeSlices(client, plan, triggerTime);
    const result = written.ok && stray !== undefined ? refuse(plainError(stray)) : written;
    if (!result.ok) {
      const message = `Error updating Endpoint Slices for Service ${queueKey(key)}: ${result.status.message ?? ''}`;
      recorder.event(service, 'Warning', 'FailedToUpdateEndpointSlices', message);
    }
    return written;
  };
  const queue = createWorkQueue(queueKey, sync, context);
  followServices(context, queue.add);
  followResource(context, endpointSlices, ({ type, object }) => {
    const name = labelOf(object, serviceLabel);
    const isOwn = name !== '' && labelOf(object, managedByLabel) === managedBy;
    if (isOwn && type === 'removed') queue.add({ namespace: namespaceOf(object), name });
  });
  return combineProgress([queue.progress, recorder.progress]);
};

interface GroupedEndpoints {
  readonly groups: readonly EndpointGroup[];
  /** The node of a Pod is missing: it may have been deleted. */
  readonly stray: string | undefined;
}

function groupEndpoints(
  service: Service,
  chosen: readonly KubernetesObject[],
  store: ControllerContext['store'],
): GroupedEndpoints {
  const groups = new Map<string, EndpointGroup>();
  let stray: string | undefined;
  const reachable = chosen.filter(isReachable);
  for (const addressType of addressTypesOf(service)) {
    for (const pod of reachable) {
      const ports = podPorts(service, pod);
      const key = JSON.stringify([addressType, ports]);
      const group = groups.get(key) ?? { addressType, ports, endpoints: [] };
      groups.set(key, group);
      const node = store.get(coreV1('nodes'), '', nodeOfPod(pod));
      if (!node && !publishesNotReady(service)) {
        const name = `${namespaceOf(service)}/${nameOf(service)}`;
        stray ??= `skipping Pod ${nameOf(pod)} for Service ${name}: Node ${nodeOfPod(pod)} Not Found`;
      } else if (addressesOfType(pod, addressType).length > 0) {
        const endpoint = podToEndpoint(service, pod, { node, type: addressType });
        groups.set(key, { ...group, endpoints: [...group.endpoints, endpoint] });
      }
    }
  }
  return { groups: [...groups.values()], stray };
}
