import { asList, asObject, asString, isJsonObject, valueAt, withValue } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { ownValue } from '../../machinery/meta/own-value.ts';

const inTemplate = ['spec', 'template', 'spec'];

/** Where the kinds that run Pods keep the Pod's spec. */
const podSpecs: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  PodTemplate: ['template', 'spec'],
  Deployment: inTemplate,
  StatefulSet: inTemplate,
  DaemonSet: inTemplate,
  ReplicaSet: inTemplate,
  ReplicationController: inTemplate,
  Job: inTemplate,
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** The object with a container in its Pod spec; unchanged when one of that name is there, or it runs no Pods. */
export function withContainer(
  object: JsonObject,
  container: JsonObject,
  list: 'containers' | 'initContainers',
): JsonObject {
  const path = ownValue(podSpecs, asString(object['kind']));
  if (!path || !isJsonObject(valueAt(object, ...path))) return object;
  const present = asList(valueAt(object, ...path, list));
  if (present.some((one) => asObject(one)['name'] === container['name'])) return object;
  return withValue(object, [...path, list], [...present, container]);
}
