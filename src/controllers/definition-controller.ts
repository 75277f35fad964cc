import { putObject } from './write-object.ts';
import { groupBy } from '../machinery/lists.ts';
import { isDeleted } from './workloads/fields.ts';
import { unknownStrategy } from '../api/strategy/strategy-for.ts';
import type { CustomResourceDefinition } from '../api/types/generated/apiextensions-v1.ts';
import { type EstablishPorts, acceptNames, isAccepted } from '../apiserver/custom-resources/accept-names.ts';
import {
  type DefinitionCondition,
  acceptedNames,
  cleanupFinalizer,
  definitionGroup,
  definitionResource,
  isConditionTrue,
  terminatingCondition,
  withDefinitionCondition,
} from '../apiserver/custom-resources/definition.ts';
import { decodeDeleteOptions } from '../apiserver/request/delete-options.ts';
import { planDeletion } from '../apiserver/request/deletion.ts';
import type { ClusterCache } from '../apiserver/storage/cluster-cache.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import { type GroupResource, groupResourceText } from '../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../machinery/meta/object.ts';
import { type Result, ok } from '../machinery/meta/result.ts';
import { formatTime } from '../machinery/meta/time.ts';
import { type ApiClient, apiserverUser } from './client.ts';
import { type ControllerContext, followResource } from './controller.ts';
import { type QueueProgress, createWorkQueue } from './work-queue.ts';

interface InstanceRemoval {
  readonly storage: Storage;
  readonly store: ClusterCache;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Deletes every object of a resource without admission; returns how many remain because of finalizers. Follows
 * apiextensions-apiserver pkg/controller/finalizer/crd_finalizer.go deleteInstances.
 */
async function removeInstances({ storage, store, now }: InstanceRemoval, resource: GroupResource): Promise<number> {
  for (const object of store.list(resource)) await removeInstance({ storage, now }, resource, object);
  return store.list(resource).length;
}

async function removeInstance(
  { storage, now }: Pick<InstanceRemoval, 'storage' | 'now'>,
  resource: GroupResource,
  object: KubernetesObject,
): Promise<void> {
  const { name = '', namespace = '' } = metadataOf(object);
  const key = { resource, namespace, name };
  const stored = await storage.read(key);
  if (!stored) return;
  const plan = planDeletion(stored.object, decodeDeleteOptions({}), unknownStrategy, now());
  if (!plan.ok) return;
  if (plan.value.plan === 'remove') await storage.remove(key, stored.revision);
  if (plan.value.plan !== 'mark' || metadataOf(stored.object).deletionTimestamp !== undefined) return;
  const marked = plan.value.mark(stored.object, now());
  if (marked.ok && marked.value.marking === 'store') await storage.update(key, marked.value.next, stored.revision);
}

export interface DefinitionControllerContext extends ControllerContext, Pick<EstablishPorts, 'caBundleError'> {
  readonly storage: Storage;
}

/**
 * The API server's own controllers for definitions: accepts names, sets conditions, and removes the objects of a
 * deleted one. Follows apiextensions-apiserver pkg/controller/{status,establish,finalizer}.
 */
export function runDefinitionController(context: DefinitionControllerContext): QueueProgress {
  const { store, served } = context;
  const definitions = createIndex(store);
  const ports: DefinitionPorts = {
    storage: context.storage,
    store,
    definitions,
    time: () => formatTime(context.clock.now()),
    now: context.clock.now,
    client: context.clientFor(apiserverUser),
    caBundleError: context.caBundleError,
    isBuiltin: ({ group, resource }) =>
      served.all().some((row) => row.group === group && row.resource === resource && !('custom' in row)),
  };
  const sync = (name: string): Promise<Result<unknown>> => {
    const definition: CustomResourceDefinition | undefined = store.get(definitionResource, '', name);
    if (!definition) return Promise.resolve(ok(undefined));
    return isDeleted(definition) ? endDefinition(ports, definition) : acceptDefinition(ports, definition);
  };
  const queue = createWorkQueue((name: string) => name, sync, context);
  followResource(context, definitionResource, ({ type, object }) => {
    if (type !== 'removed' && !(!isDeleted(object) && isAccepted(object))) queue.add(metadataOf(object).name ?? '');
    if (type === 'created') return;
    // Another definition may take a name that is free now.
    for (const other of definitions(definitionGroup(object)).waiting) {
      if (metadataOf(other).uid !== metadataOf(object).uid) queue.add(metadataOf(other).name ?? '');
    }
  });
  // Custom objects are stored under the name of their definition: a terminating definition is synced when one of them is removed.
  context.whenClosed(
    store.watchEach((stored, { type }) => {
      const definition = type === 'removed' ? store.get(definitionResource, '', stored) : undefined;
      if (definition && isDeleted(definition)) queue.add(stored);
    }),
  );
  return queue.progress;
}

interface DefinitionPorts extends Pick<EstablishPorts, 'caBundleError'> {
  readonly storage: Storage;
  readonly store: ClusterCache;
  readonly definitions: (group: string) => Definitions;
  readonly client: ApiClient;
  /** Any version counts. */
  readonly isBuiltin: (resource: GroupResource) => boolean;
  /** RFC 3339. */
  readonly time: () => string;
  readonly now: () => number;
}

/** The definitions of a group, and those whose names are not accepted yet. */
interface Definitions {
  readonly all: readonly KubernetesObject[];
  readonly waiting: readonly KubernetesObject[];
}

/** Definitions by group, grouped once after each write: there may be hundreds. */
function createIndex(store: ClusterCache): (group: string) => Definitions {
  let groups: ReadonlyMap<string, readonly KubernetesObject[]> = new Map();
  let sortedAt = -1;
  let waiting = groups;
  return (group) => {
    if (sortedAt !== store.revision()) {
      const definitions: readonly CustomResourceDefinition[] = store.list(definitionResource);
      groups = groupBy(definitions, definitionGroup);
      waiting = groupBy(
        definitions.filter((one) => !isConditionTrue(one, 'NamesAccepted')),
        definitionGroup,
      );
      sortedAt = store.revision();
    }
    return { all: groups.get(group) ?? [], waiting: waiting.get(group) ?? [] };
  };
}

async function acceptDefinition(
  ports: DefinitionPorts,
  definition: CustomResourceDefinition,
): Promise<Result<unknown>> {
  const { definitions, client, caBundleError } = ports;
  const { all } = definitions(definitionGroup(definition));
  const next = acceptNames(definition, all, { time: ports.time(), caBundleError });
  return next === definition ? ok(undefined) : writeStatus(client, next);
}

const writeStatus = (client: ApiClient, definition: KubernetesObject): Promise<Result<unknown>> =>
  putObject(client, { ...definitionResource, version: 'v1' }, definition, '/status');

/** Objects first; their finalizers keep the definition. */
async function endDefinition(ports: DefinitionPorts, definition: CustomResourceDefinition): Promise<Result<unknown>> {
  const { finalizers = [], name = '' } = metadataOf(definition);
  if (!finalizers.includes(cleanupFinalizer)) return ok(undefined);
  if (!isConditionTrue(definition, 'Established'))
    return removeFinalizer(ports, definition, terminatingCondition('NeverEstablished'));
  const begun = await markTerminating(ports, definition);
  if (!begun.ok) return begun;
  const resource = { group: definitionGroup(definition), resource: acceptedNames(definition).plural };
  // Upstream stores most built-in objects elsewhere; here a definition of the same name shares them.
  const remaining = ports.isBuiltin(resource) ? 0 : await removeInstances(ports, resource);
  if (remaining > 0) return ok(undefined);
  const now: CustomResourceDefinition | undefined = ports.store.get(definitionResource, '', name);
  const ending = overlapping.has(groupResourceText(resource))
    ? 'OverlappingBuiltInResource'
    : 'InstanceDeletionCompleted';
  return now ? removeFinalizer(ports, now, terminatingCondition(ending)) : ok(undefined);
}

/** Follows apiextensions-apiserver pkg/controller/finalizer/crd_finalizer.go OverlappingBuiltInResources. */
const overlapping: ReadonlySet<string> = new Set([
  groupResourceText({ group: 'apiregistration.k8s.io', resource: 'apiservices' }),
  groupResourceText(definitionResource),
]);

async function markTerminating(
  { client, time }: DefinitionPorts,
  definition: CustomResourceDefinition,
): Promise<Result<unknown>> {
  const next = withDefinitionCondition(definition, terminatingCondition('InstanceDeletionInProgress'), time());
  return next === definition ? ok(undefined) : writeStatus(client, next);
}

function removeFinalizer(
  { client, time }: DefinitionPorts,
  definition: CustomResourceDefinition,
  condition: DefinitionCondition,
): Promise<Result<unknown>> {
  const { finalizers = [] } = metadataOf(definition);
  const rest = finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
  const done = withDefinitionCondition(definition, condition, time());
  return writeStatus(client, withMetadata(done, { finalizers: rest.length > 0 ? rest : undefined }));
}
