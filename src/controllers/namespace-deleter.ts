import { asList, asObject, asString } from '../apimachinery/json.ts';
import { metadataOf } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { ok, refuse } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import type { Status } from '../apimachinery/status.ts';
import { controllerUser } from './client.ts';
import type { Client } from './client.ts';
import { follow } from './controller.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { coreV1, deletableResources, namespaces, pathOf } from './served-resources.ts';
import type { ServedResource } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';

/**
 * A namespace that is being deleted is emptied, pods first, and then finalised. What finalizers hold, holds it too.
 * Follows pkg/controller/namespace/deletion/namespaced_resources_deleter.go.
 */
export const namespaceDeleter: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('namespace-controller'));
  const isEnding = (name: string): boolean =>
    metadataOf(store.get(namespaces, '', name) ?? nothing).deletionTimestamp !== undefined;
  const resources = deletableResources(context.served, ['delete', 'list']).filter(({ namespaced }) => namespaced);
  const sync = async (name: string): Promise<Result<unknown>> => {
    const namespace = store.get(namespaces, '', name);
    if (!namespace || !isEnding(name) || finalizersOf(namespace).length === 0) return ok(undefined);
    const emptied = await empty(name, resources, { client, store });
    if (emptied.refused) return refuse(emptied.refused);
    // What is left will go by itself, and its going is the sign to look again.
    return emptied.isEmpty ? finalize(client, namespace) : ok(undefined);
  };
  const queue = createWorkQueue((name) => name, sync, context);
  follow(context, namespaces, ({ type, object }) => {
    const { name = '', deletionTimestamp } = metadataOf(object);
    if (type !== 'removed' && deletionTimestamp !== undefined) queue.add(name);
  });
  for (const { storage } of resources) {
    follow(context, storage, ({ type, object }) => {
      const { namespace = '' } = metadataOf(object);
      if (type === 'removed' && isEnding(namespace)) queue.add(namespace);
    });
  }
  return queue.progress;
};

const nothing: KubernetesObject = { kind: '', apiVersion: '' };

const finalizersOf = (namespace: KubernetesObject): readonly string[] =>
  asList(asObject(namespace['spec'])['finalizers']).map(asString);

interface Emptied {
  readonly isEmpty: boolean;
  /** The first of what went wrong; the other resources were tried all the same. */
  readonly refused: Status | undefined;
}

/** While pods are there nothing else is touched: they may need it to end well. */
async function empty(
  namespace: string,
  resources: readonly ServedResource[],
  act: { readonly client: Client } & Pick<ControllerContext, 'store'>,
): Promise<Emptied> {
  const isPods = ({ group, resource }: ServedResource): boolean => group === '' && resource === 'pods';
  const podsFirst = [resources.filter(isPods), resources.filter((one) => !isPods(one))];
  for (const stage of podsFirst) {
    let refused: Status | undefined;
    const held = (): readonly ServedResource[] =>
      stage.filter(({ storage }) => act.store.list(storage, namespace).length > 0);
    for (const resource of held()) {
      const deleted = await deleteAll(namespace, resource, act);
      if (!deleted.ok) refused ??= deleted.status;
    }
    if (refused || held().length > 0) return { isEmpty: false, refused };
  }
  return { isEmpty: true, refused: undefined };
}

async function deleteAll(
  namespace: string,
  resource: ServedResource,
  { client, store }: { readonly client: Client } & Pick<ControllerContext, 'store'>,
): Promise<Result<unknown>> {
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
  if (resource.verbs.includes('deletecollection')) {
    return client({ method: 'DELETE', path: pathOf(resource, namespace), body });
  }
  for (const object of store.list(resource.storage, namespace)) {
    const path = pathOf(resource, namespace, metadataOf(object).name);
    const deleted = await client({ method: 'DELETE', path, body });
    if (!deleted.ok && deleted.status.code !== 404) return deleted;
  }
  return ok(undefined);
}

async function finalize(client: Client, namespace: KubernetesObject): Promise<Result<unknown>> {
  const finalizers = finalizersOf(namespace).filter((finalizer) => finalizer !== 'kubernetes');
  const path = `${pathOf(coreV1('namespaces'), '', metadataOf(namespace).name)}/finalize`;
  const finalized = await client({ method: 'PUT', path, body: { ...namespace, spec: { finalizers } } });
  return finalized.ok || finalized.status.code === 404 ? ok(undefined) : finalized;
}
