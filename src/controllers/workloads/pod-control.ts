import { isTerminatingNamespace } from '../write-object.ts';
import { asObject, asString, type JsonValue } from '../../machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import type { ApiClient } from '../client.ts';
import { coreV1, resourcePath } from '../served-resources.ts';
import type { EventRecorder } from './event-recorder.ts';
import { nameOf, namespaceOf } from './fields.ts';
import { controllerReference } from './ownership.ts';
import type { Pod, PodTemplateSpec } from '../../api/types/generated/core-v1.ts';

export const pods = coreV1('pods');

/**
 * Creates and deletes the Pods of an owner, with Events. Follows RealPodControl of
 * pkg/controller/controller_utils.go.
 */
export interface PodControl {
  readonly create: (owner: KubernetesObject, pod: Pod) => Promise<Result<unknown>>;
  readonly delete: (owner: KubernetesObject, pod: Pod) => Promise<Result<unknown>>;
}

export function createPodControl(client: ApiClient, { event }: EventRecorder): PodControl {
  return {
    create: async (owner, pod) => {
      const created = await client({ method: 'POST', path: resourcePath(pods, namespaceOf(owner)), body: pod });
      if (created.ok) {
        event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${nameOf(asKubernetesObject(created.value) ?? pod)}`);
      } else if (!isTerminatingNamespace(created.status)) {
        event(owner, 'Warning', 'FailedCreate', `Error creating: ${created.status.message ?? ''}`);
      }
      return created;
    },
    delete: async (owner, pod) => {
      const name = nameOf(pod);
      const deleted = await client({ method: 'DELETE', path: resourcePath(pods, namespaceOf(pod), name) });
      if (deleted.ok) event(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
      else if (deleted.status.code === 404) return ok(undefined);
      else event(owner, 'Warning', 'FailedDelete', `Error deleting: ${deleted.status.message ?? ''}`);
      return deleted;
    },
  };
}

/** The Pod of a template: its labels, annotations, finalizers and owner. Follows GetPodFromTemplate. */
export function podFromTemplate(owner: KubernetesObject, template: PodTemplateSpec): Pod {
  const { labels, annotations, finalizers } = asObject(template.metadata);
  const prefix = `${nameOf(owner)}-`;
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      generateName: prefix.length > 253 ? nameOf(owner) : prefix,
      labels: asStrings(labels),
      ...(annotations === undefined ? {} : { annotations: asStrings(annotations) }),
      ownerReferences: [controllerReference(owner)],
      ...(Array.isArray(finalizers) ? { finalizers: finalizers.map(asString) } : {}),
    },
    ...(template.spec === undefined ? {} : { spec: template.spec }),
  };
}

export const asStrings = (value: JsonValue | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(asObject(value)).map(([key, text]) => [key, asString(text)]));

/** `slowStartOver` for `count` calls. */
export const slowStart = async (count: number, act: () => Promise<Result<unknown>>): Promise<Result<unknown>> =>
  slowStartOver(Array.from({ length: count }), act);

/**
 * Processes one, then two at once, then four, until a failure. Returns the first failure. Follows
 * pkg/controller/replicaset/replica_set.go slowStartBatch.
 */
export async function slowStartOver<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result<unknown>>,
): Promise<Result<unknown>> {
  for (let size = 1, done = 0; done < items.length; done += size, size *= 2) {
    const results = await Promise.all(items.slice(done, done + size).map(act));
    const failed = results.find((result) => !result.ok);
    if (failed) return failed;
  }
  return ok(undefined);
}
