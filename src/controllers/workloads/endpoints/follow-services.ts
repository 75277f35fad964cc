import { asObject, asString } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { metadataOf, type KubernetesObject } from '../../../machinery/meta/object.ts';
import { type ControllerContext, followResource } from '../../controller.ts';
import { coreV1 } from '../../served-resources.ts';
import { namespaceOf } from '../fields.ts';
import { toObjectName, type ObjectName } from '../follow-pods.ts';
import { pods } from '../pod-control.ts';
import type { Pod, Service } from '../../../api/types/generated/core-v1.ts';

export const services = coreV1('services');

/** A Service without a selector selects none. */
export function isSelected(service: Service, pod: Pod): boolean {
  const selector = service.spec?.selector;
  const labels = metadataOf(pod).labels ?? {};
  return (
    selector !== undefined &&
    Object.entries(asObject(selector)).every(([key, value]) => labels[key] === asString(value))
  );
}

export const selectedPods = (store: ControllerContext['store'], service: Service): readonly KubernetesObject[] =>
  store.list(pods, namespaceOf(service)).filter((pod) => isSelected(service, pod));

/** Calls `add` for every Service that changed, or whose Pods did. */
export function followServices(context: ControllerContext, add: (key: ObjectName) => void): void {
  followResource(context, services, ({ object }) => add(toObjectName(object)));
  followResource(context, pods, (change) => {
    const versions = change.type === 'updated' ? [change.object, change.previous] : [change.object];
    if (change.type === 'updated' && isSameForEndpoints(change.object, change.previous)) return;
    for (const service of context.store.list(services, namespaceOf(change.object))) {
      if (versions.some((pod) => isSelected(service, pod))) add(toObjectName(service));
    }
  });
}

/** Only fields that endpoints contain count. */
const isSameForEndpoints = (a: Pod, b: Pod): boolean =>
  a.spec === b.spec &&
  sameJson(a.status, b.status) &&
  metadataOf(a).deletionTimestamp === metadataOf(b).deletionTimestamp &&
  sameJson(metadataOf(a).labels ?? {}, metadataOf(b).labels ?? {});
