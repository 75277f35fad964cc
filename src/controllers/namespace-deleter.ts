import { asList, asObject, asString, type JsonValue, withValue } from '../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../machinery/meta/result.ts';
import type { Status } from '../machinery/meta/status.ts';
import { formatTime } from '../machinery/meta/time.ts';
import { removeObject, unlessGone } from './write-object.ts';
import { type ClientRequest, type ApiClient, controllerUser } from './client.ts';
import { type Controller, type ControllerContext, followResource, followResources } from './controller.ts';
import { conditionsAfter, type Remains } from './namespace-conditions.ts';
import { coreV1, deletableResources, namespaces, resourcePath, type ServedResource } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import type { Namespace } from '../api/types/generated/core-v1.ts';

/**
 * The delay for other components to see the deletion, and for discovery. Follows
 * pkg/controller/namespace/namespace_controller.go.
 */
const gracePeriod = 5200;

/**
 * Empties a deleted namespace, pods first, and finalizes it. Finalizers of its objects keep it. Follows
 * pkg/controller/namespace/deletion/namespaced_resources_deleter.go.
 */
export const namespaceDeleter: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('namespace-controller'));
  const isEnding = (name: string): boolean =>
    metadataOf(store.get(namespaces, '', name) ?? nothing).deletionTimestamp !== undefined;
  const resources = (): readonly ServedResource[] =>
    deletableResources(context.served, verbs).filter(({ namespaced }) => namespaced);
  const sync = async (name: string): Promise<Result<unknown>> => {
    const namespace: Namespace | undefined = store.get(namespaces, '', name);
    if (!namespace || !isEnding(name) || finalizersOf(namespace).length === 0) return ok(undefined);
    const remains = await deleteAllContent(name, resources(), { client, store });
    const conditions = conditionsAfter(namespace.status?.conditions, remains, formatTime(context.clock.now()));
    if (conditions) await client(statusOf(namespace, conditions));
    if (remains.failure) return refuse(remains.failure);
    // The removal of each remaining object triggers another sync.
    return remains.content.length === 0 ? finalize(client, store.get(namespaces, '', name)) : ok(undefined);
  };
  const queue = createWorkQueue((name) => name, sync, context);
  followResource(context, namespaces, ({ type, object }) => {
    const { name = '', deletionTimestamp } = metadataOf(object);
    if (type !== 'removed' && deletionTimestamp !== undefined) queue.addSoon(name, gracePeriod);
  });
  followResources(context, verbs, ({ namespaced }, { type, object }) => {
    const { namespace = '' } = metadataOf(object);
    if (namespaced && type === 'removed' && isEnding(namespace)) queue.add(namespace);
  });
  return queue.progress;
};

const verbs = ['delete', 'list'];

const nothing: KubernetesObject = { kind: '', apiVersion: '' };

const finalizersOf = (namespace: Namespace): readonly string[] =>
  asList(asObject(namespace.spec).finalizers).map(asString);

interface Emptied extends Remains {
  /** The first error; the other resources are tried too. */
  readonly failure: Status | undefined;
}

type Acting = { readonly client: ApiClient } & Pick<ControllerContext, 'store'>;

/** Pods first: they may need the other objects to terminate. */
async function deleteAllContent(
  namespace: string,
  resources: readonly ServedResource[],
  act: Acting,
): Promise<Emptied> {
  const isPods = ({ group, resource }: ServedResource): boolean => group === '' && resource === 'pods';
  const pods = await emptyResources(namespace, resources.filter(isPods), act);
  if (pods.failure || pods.content.length > 0) return pods;
  return emptyResources(
    namespace,
    resources.filter((resource) => !isPods(resource)),
    act,
  );
}

async function emptyResources(namespace: string, resources: readonly ServedResource[], act: Acting): Promise<Emptied> {
  const left = (): Remains['content'] =>
    resources
      .map((resource) => ({ resource, objects: act.store.list(resource.storage, namespace) }))
      .filter(({ objects }) => objects.length > 0);
  const failures: Status[] = [];
  for (const resource of resources.filter(({ storage }) => act.store.list(storage, namespace).length > 0)) {
    const deleted = await deleteAll(namespace, resource, act);
    if (!deleted.ok) failures.push(deleted.status);
  }
  return { content: left(), failures: failures.map(({ message = '' }) => message), failure: failures[0] };
}

async function deleteAll(
  namespace: string,
  resource: ServedResource,
  { client, store }: Acting,
): Promise<Result<unknown>> {
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
  if (resource.verbs.includes('deletecollection')) {
    return client({ method: 'DELETE', path: resourcePath(resource, namespace), body });
  }
  for (const object of store.list(resource.storage, namespace)) {
    const deleted = await removeObject(client, resource, object, body);
    if (!deleted.ok) return deleted;
  }
  return ok(undefined);
}

const statusOf = (namespace: Namespace, conditions: readonly JsonValue[]): ClientRequest => ({
  method: 'PUT',
  path: `${resourcePath(coreV1('namespaces'), '', metadataOf(namespace).name)}/status`,
  body: withValue(namespace, ['status', 'conditions'], conditions),
});

async function finalize(client: ApiClient, namespace: Namespace | undefined): Promise<Result<unknown>> {
  if (!namespace) return ok(undefined);
  const finalizers = finalizersOf(namespace).filter((finalizer) => finalizer !== 'kubernetes');
  const path = `${resourcePath(coreV1('namespaces'), '', metadataOf(namespace).name)}/finalize`;
  return unlessGone(await client({ method: 'PUT', path, body: { ...namespace, spec: { finalizers } } }));
}
