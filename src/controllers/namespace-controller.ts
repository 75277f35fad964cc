import { asList, asObject, asString, type JsonValue } from '../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../machinery/meta/result.ts';
import type { Status } from '../machinery/meta/status.ts';
import { formatTime } from '../machinery/meta/time.ts';
import { removeObject, ignoreNotFound, putObject, putStatus } from './write-object.ts';
import { type ApiClient, controllerUser } from './client.ts';
import { type Controller, type ControllerContext, followResource, followResources } from './controller.ts';
import { coreV1, deletableResources, namespaces, resourcePath, type ServedResource } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import type { Namespace, NamespaceCondition } from '../api/types/generated/core-v1.ts';
import type { GroupResource } from '../machinery/meta/gvk.ts';

/**
 * The delay for other components to see the deletion, and for discovery. Follows
 * pkg/controller/namespace/namespace_controller.go.
 */
const gracePeriod = 5200;

/**
 * Empties a deleted namespace, pods first, and finalizes it. Finalizers of its objects keep it. Follows
 * pkg/controller/namespace/deletion/namespaced_resources_deleter.go.
 */
export const namespaceController: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('namespace-controller'));
  const isEnding = (name: string): boolean =>
    metadataOf(store.get(namespaces, '', name) ?? noObject).deletionTimestamp !== undefined;
  const resources = (): readonly ServedResource[] =>
    deletableResources(context.served, verbs).filter(({ namespaced }) => namespaced);
  const sync = async (name: string): Promise<Result<unknown>> => {
    const namespace: Namespace | undefined = store.get(namespaces, '', name);
    if (!namespace || !isEnding(name) || namespaceFinalizers(namespace).length === 0) return ok(undefined);
    const remains = await deleteAllContent(name, resources(), { client, store });
    const conditions = updateDeletionConditions(namespace.status?.conditions, remains, formatTime(context.clock.now()));
    if (conditions) await putStatus(client, coreV1('namespaces'), namespace, { ...namespace.status, conditions });
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

const noObject: KubernetesObject = { kind: '', apiVersion: '' };

const namespaceFinalizers = (namespace: Namespace): readonly string[] =>
  asList(asObject(namespace.spec).finalizers).map(asString);

interface DeletionResult extends RemainingContent {
  /** The first error; the other resources are tried too. */
  readonly failure: Status | undefined;
}

type DeletionPorts = { readonly client: ApiClient } & Pick<ControllerContext, 'store'>;

/** Pods first: they may need the other objects to terminate. */
async function deleteAllContent(
  namespace: string,
  resources: readonly ServedResource[],
  act: DeletionPorts,
): Promise<DeletionResult> {
  const isPods = ({ group, resource }: ServedResource): boolean => group === '' && resource === 'pods';
  const pods = await emptyResources(namespace, resources.filter(isPods), act);
  if (pods.failure || pods.content.length > 0) return pods;
  return emptyResources(
    namespace,
    resources.filter((resource) => !isPods(resource)),
    act,
  );
}

async function emptyResources(
  namespace: string,
  resources: readonly ServedResource[],
  act: DeletionPorts,
): Promise<DeletionResult> {
  const contentLeft = (): RemainingContent['content'] =>
    resources
      .map((resource) => ({ resource, objects: act.store.list(resource.storage, namespace) }))
      .filter(({ objects }) => objects.length > 0);
  const failures: Status[] = [];
  for (const resource of resources.filter(({ storage }) => act.store.list(storage, namespace).length > 0)) {
    const deleted = await deleteAll(namespace, resource, act);
    if (!deleted.ok) failures.push(deleted.status);
  }
  return { content: contentLeft(), failures: failures.map(({ message = '' }) => message), failure: failures[0] };
}

async function deleteAll(
  namespace: string,
  resource: ServedResource,
  { client, store }: DeletionPorts,
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

async function finalize(client: ApiClient, namespace: Namespace | undefined): Promise<Result<unknown>> {
  if (!namespace) return ok(undefined);
  const finalizers = namespaceFinalizers(namespace).filter((finalizer) => finalizer !== 'kubernetes');
  return ignoreNotFound(
    await putObject(client, coreV1('namespaces'), { ...namespace, spec: { finalizers } }, '/finalize'),
  );
}

/** What remains in a namespace that is being emptied. */
export interface RemainingContent {
  readonly content: readonly { readonly resource: GroupResource; readonly objects: readonly KubernetesObject[] }[];
  /** One error for each resource that could not be deleted. */
  readonly failures: readonly string[];
}

interface DeletionCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/**
 * `status.conditions` of a Terminating namespace; undefined when they stay as they are. `now` is RFC 3339.
 * Follows pkg/controller/namespace/deletion/status_condition_utils.go.
 */
export function updateDeletionConditions(
  before: readonly NamespaceCondition[] | undefined,
  remains: RemainingContent,
  now: string,
): readonly JsonValue[] | undefined {
  const conditions = [...asList(before)];
  let changed = false;
  for (const verdict of deletionConditions(remains)) {
    const index = conditions.findIndex((condition) => asObject(condition).type === verdict.type);
    const old = asObject(conditions[index]);
    if (old.status === verdict.status && old.reason === verdict.reason && old.message === verdict.message) {
      continue;
    }
    changed = true;
    conditions.splice(index < 0 ? conditions.length : index, 1, {
      type: verdict.type,
      status: verdict.status,
      lastTransitionTime: old.status === verdict.status ? (old.lastTransitionTime ?? now) : now,
      reason: verdict.reason,
      message: verdict.message,
    });
  }
  return changed ? conditions : undefined;
}

function deletionConditions({ content, failures }: RemainingContent): readonly DeletionCondition[] {
  const resources = content.map(
    ({ resource, objects }) => `${resource.resource}.${resource.group} has ${objects.length} resource instances`,
  );
  const finalizers = [...countFinalizers(content)].map(
    ([finalizer, count]) => `${finalizer} in ${count} resource instances`,
  );
  return [
    falseCondition('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    falseCondition(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    failures.length === 0
      ? falseCondition(
          'NamespaceDeletionContentFailure',
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        )
      : trueCondition(
          'NamespaceDeletionContentFailure',
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${failures.length} remaining: ${joinSortedTexts(failures)}`,
        ),
    resources.length === 0
      ? falseCondition('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : trueCondition(
          'NamespaceContentRemaining',
          'SomeResourcesRemain',
          `Some resources are remaining: ${joinSortedTexts(resources)}`,
        ),
    finalizers.length === 0
      ? falseCondition(
          'NamespaceFinalizersRemaining',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        )
      : trueCondition(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${joinSortedTexts(finalizers)}`,
        ),
  ];
}

const deletionCondition =
  (status: DeletionCondition['status']) =>
  (type: string, reason: string, message: string): DeletionCondition => ({ type, status, reason, message });

const [trueCondition, falseCondition] = [deletionCondition('True'), deletionCondition('False')];

const joinSortedTexts = (texts: readonly string[]): string => texts.toSorted((a, b) => (a < b ? -1 : 1)).join(', ');

function countFinalizers(content: RemainingContent['content']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const finalizer of content.flatMap(({ objects }) => objects.flatMap(objectFinalizers))) {
    counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  return counts;
}

const objectFinalizers = (object: KubernetesObject): readonly string[] => metadataOf(object).finalizers ?? [];
