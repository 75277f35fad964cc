import { asString, valueAt } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Storage, StoreKey } from '../../apiserver/storage/storage.ts';
import type { Trace } from '../../explain/trace/trace.ts';

/** Has the object of a write be what it was before it, so that the write can be made again; in another version it stays as it is. */
export async function putBack(storage: Storage, { request, objectBefore, objectAfter }: Trace): Promise<void> {
  const { group, resource, namespace } = request;
  const isNamespace = group === '' && resource === 'namespaces';
  const key: StoreKey = {
    resource: { group, resource },
    namespace: isNamespace ? '' : namespace,
    name: request.name === '' ? nameOf(objectAfter) : request.name,
  };
  const now = await storage.read(key);
  if (objectBefore === null) {
    if (now && request.subresource === '') await storage.remove(key, now.revision);
    return;
  }
  const { apiVersion, kind } = objectBefore;
  const before: KubernetesObject = { ...objectBefore, apiVersion: asString(apiVersion), kind: asString(kind) };
  if (!now) await storage.create(key, before);
  else if (now.object['apiVersion'] === before['apiVersion']) await storage.update(key, before, now.revision);
}

const nameOf = (object: Trace['objectAfter']): string => asString(valueAt(object ?? undefined, 'metadata', 'name'));
