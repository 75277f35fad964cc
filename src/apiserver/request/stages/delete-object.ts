import type { JsonObject } from '../../../machinery/json/json.ts';
import { groupResourceText } from '../../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { conflict, forbidden, notFound, type Status } from '../../../machinery/meta/status.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import {
  cleanupFinalizer,
  definitionResource,
  terminatingCondition,
  withDefinitionCondition,
} from '../../custom-resources/definition.ts';
import type { StoreKey } from '../../storage/storage.ts';
import { type DecodedDeleteOptions, deleteOptionsJson } from '../delete-options.ts';
import {
  type DeletionPlan,
  type Mark,
  planDeletion,
  planNamespaceDeletion,
  uidAndVersionProblem,
} from '../deletion.ts';
import { withResponse, type Current, type Exchange, requirePart, type RequestTarget } from '../exchange.ts';
import { type Attempt, guaranteedDelete, guaranteedUpdate } from '../guaranteed-writes.ts';
import type { CollectionItem } from '../journal.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { runStages, type Stage } from '../stage.ts';
import { storagePreconditionFailure } from '../storage-error.ts';
import { attributesOf, runMutatingChain, runValidatingChain } from './admission.ts';
import { storeKeyOf, readCurrent, convertStored } from './load-current.ts';
import { beginPorts } from './prepare-for-storage.ts';
import { readDeleteOptions } from './read-options.ts';
import { deleteUnsafely } from './unsafe-delete.ts';

/**
 * The first DELETE marks the definition and removes its objects. `now` in milliseconds since 1970. Follows
 * apiextensions-apiserver pkg/registry/customresourcedefinition/etcd.go Delete.
 */
function planDefinitionDeletion(
  words: (problem: string) => string,
  ...[definition, requested, strategy, now]: Parameters<typeof planDeletion>
): Result<DeletionPlan> {
  const { name = '', uid = '', deletionTimestamp } = metadataOf(definition);
  const text = uidAndVersionProblem(definition, requested);
  if (text !== undefined) return refuse(conflict(definitionResource, name, words(text)));
  const options = { ...requested, preconditions: { ...requested.preconditions, uid } };
  if (deletionTimestamp !== undefined) return planDeletion(definition, options, strategy, now);
  return ok({
    plan: 'mark',
    options,
    mark: (latest, at) => ok({ marking: 'store', next: markDefinition(latest, at), waits: true }),
  });
}

function markDefinition(definition: KubernetesObject, now: number): KubernetesObject {
  const time = formatTime(now);
  const { deletionTimestamp = time, finalizers = [] } = metadataOf(definition);
  const held = finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer];
  const next = withMetadata(definition, { deletionTimestamp, finalizers: held });
  return withDefinitionCondition(next, terminatingCondition('InstanceDeletionPending'), time);
}

/** Follows apiserver pkg/endpoints/handlers/delete.go and registry/store.go (rules PATH-40 to PATH-45). */
export const deleteObject = (deps: HandlerDeps): Stage => ({
  name: 'delete-object',
  run: async (exchange) => {
    const options = await readDeleteOptions(deps, exchange);
    if (!options.ok) return options;
    if (options.value.ignoreStoreReadError === true) {
      return runStages([deleteUnsafely(deps, options.value)], exchange);
    }
    const target = requirePart(exchange.target, 'target');
    if (isSystemPriority(target)) return refuse(forbidden(target.resource, target.info.name, systemPriority));
    const deletion = { options: options.value, name: target.info.name, admittedName: target.info.name };
    const deleted = await removeOne(deps, exchange, deletion);
    if (!deleted.ok) return deleted;
    const code = !deleted.value.gone && options.value.orphanDependents === false ? 202 : 200;
    return ok(withResponse(exchange, code, deletionAnswer(target, deleted.value)));
  },
});

const systemPriorities = ['system-node-critical', 'system-cluster-critical'];
const systemPriority = 'this is a system priority class and cannot be deleted';

/**
 * Refused before admission, except in a deletecollection. Follows kubernetes
 * pkg/registry/scheduling/priorityclass/storage.
 */
const isSystemPriority = ({ resource, info }: RequestTarget): boolean =>
  resource.resource === 'priorityclasses' && !isCustomRow(resource) && systemPriorities.includes(info.name);

/** `name` is '' for admission in a deletecollection (rule PATH-50). */
export interface Deletion {
  readonly options: DecodedDeleteOptions;
  readonly name: string;
  readonly admittedName: string;
  /** Of a deletecollection: the object. */
  readonly item?: CollectionItem;
  /** An eviction skips admission of the deletion. */
  readonly skipsAdmission?: boolean;
}

export interface Deleted {
  readonly object: KubernetesObject;
  readonly gone: boolean;
}

/** Follows apiserver pkg/registry/generic/registry/store.go Delete. */
export async function removeOne(deps: HandlerDeps, exchange: Exchange, deletion: Deletion): Promise<Result<Deleted>> {
  const target = requirePart(exchange.target, 'target');
  const removal = createRemoval(deps, exchange, deletion);
  const first = await removal.load('read');
  if (!first.ok) return first;
  if (!first.value) return refuse(removal.missing);
  const planner = choosePlanner(groupResourceText(target.resource), deps.release.minor);
  const planned = planner(first.value.object, deletion.options, target.strategy, deps.clock.now());
  if (!planned.ok) return planned;
  const plan = planned.value;
  if (plan.plan === 'already-deleting') return ok({ object: first.value.view, gone: false });
  if (plan.plan === 'remove') return removeNow(deps, exchange, { ...removal, options: plan.options });
  return removeMarked(deps, exchange, { ...removal, options: plan.options }, plan.mark);
}

/** Some resources have their own deletion steps. */
function choosePlanner(resource: string, minor: number): typeof planDeletion {
  if (resource === 'namespaces') return planNamespaceDeletion;
  if (resource !== groupResourceText(definitionResource)) return planDeletion;
  const words = (problem: string): string => (minor >= 37 ? problem.replace(/^P/, 'p') : problem);
  return (...requested) => planDefinitionDeletion(words, ...requested);
}

interface Removal extends Deletion {
  readonly key: StoreKey;
  readonly dryRun: boolean;
  readonly load: (by?: 'read') => Promise<Result<Current | null>>;
  readonly missing: Status;
}

function createRemoval(deps: HandlerDeps, exchange: Exchange, deletion: Deletion): Removal {
  const target = requirePart(exchange.target, 'target');
  const { name, options } = deletion;
  const named = { ...target, info: { ...target.info, name } };
  return {
    ...deletion,
    key: storeKeyOf(target, name),
    dryRun: options.dryRun.length > 0,
    load: (by) => readCurrent(deps, named, by),
    missing: notFound(target.resource, name),
  };
}

/** Marks the object, then removes it if nothing keeps it. */
async function removeMarked(
  deps: HandlerDeps,
  exchange: Exchange,
  removal: Removal,
  mark: Mark,
): Promise<Result<Deleted>> {
  const marked = await guaranteedUpdate<Marked>(deps, exchange, {
    ...removal,
    attempt: (current) => attemptToMark(deps, exchange, { removal, mark, current }),
  });
  if (!marked.ok) return marked;
  const { object, next } = marked.value;
  if (next === 'stay') return ok({ object, gone: false });
  if (next === 'removed-by-dry-run') return ok({ object, gone: true });
  exchange.journal.item({ ...removal.item, again: 'removal' });
  const { resourceVersion = '' } = next === 'remove-marked' ? metadataOf(object) : {};
  const options = withVersion(removal.options, resourceVersion);
  const removed = await removeNow(deps, exchange, { ...removal, options });
  // A concurrent removal has the same effect.
  const isMissing = !removed.ok && removed.status === removal.missing;
  return isMissing && next === 'remove-marked' ? ok({ object, gone: true }) : removed;
}

interface Marked {
  readonly object: KubernetesObject;
  readonly next: 'stay' | 'remove-marked' | 'remove-unmarked' | 'removed-by-dry-run';
}

async function attemptToMark(
  deps: HandlerDeps,
  exchange: Exchange,
  { removal, mark, current }: { readonly removal: Removal; readonly mark: Mark; readonly current: Current | null },
): Promise<Attempt<Marked>> {
  if (!current) return { outcome: 'refused', status: removal.missing };
  const refusal = await checkRemoval(deps, exchange, removal, current);
  if (refusal) return { outcome: 'refused', status: refusal };
  const marking = mark(current.object, deps.clock.now());
  if (!marking.ok) return { outcome: 'refused', status: marking.status };
  switch (marking.value.marking) {
    case 'already-deleting':
      return { outcome: 'end', value: { object: current.view, next: 'stay' } };
    case 'remove':
      return {
        outcome: 'end',
        value: { object: current.view, next: removal.dryRun ? 'removed-by-dry-run' : 'remove-unmarked' },
      };
    case 'store': {
      const { next: object, waits } = marking.value;
      const result = async (stored: KubernetesObject): Promise<Result<Marked>> => {
        const view = await convertStored(requirePart(exchange.target, 'target'), stored);
        const next = waits ? 'stay' : removal.dryRun ? 'removed-by-dry-run' : 'remove-marked';
        return ok({ object: view.ok ? view.value : stored, next });
      };
      if (!removal.dryRun) return { outcome: 'write', object, result: (stored) => result(stored.object) };
      const seen = await result(object);
      return seen.ok ? { outcome: 'end', value: seen.value } : { outcome: 'refused', status: seen.status };
    }
  }
}

/** After marking, preconditions apply to the marked object. */
const withVersion = (options: DecodedDeleteOptions, resourceVersion: string): DecodedDeleteOptions =>
  options.preconditions?.resourceVersion === undefined
    ? options
    : { ...options, preconditions: { ...options.preconditions, resourceVersion } };

async function removeNow(deps: HandlerDeps, exchange: Exchange, removal: Removal): Promise<Result<Deleted>> {
  const removed = await guaranteedDelete(deps, exchange, {
    ...removal,
    check: (current) => checkRemoval(deps, exchange, removal, current),
  });
  if (!removed.ok) return removed;
  if (!removed.value) return refuse(removal.missing);
  const { object, view } = removed.value;
  if (!removal.dryRun) await requirePart(exchange.target, 'target').strategy.afterDelete?.(object, beginPorts(deps));
  return ok({ object: view, gone: true });
}

/** Preconditions, then both admission passes with the stored object as oldObject (rule PATH-46). */
async function checkRemoval(
  deps: HandlerDeps,
  exchange: Exchange,
  { options, name, admittedName, skipsAdmission, dryRun }: Removal,
  current: Current,
): Promise<Status | undefined> {
  const target = requirePart(exchange.target, 'target');
  const failure = storagePreconditionFailure(target, metadataOf(current.object), options.preconditions ?? {}, {
    name,
    dryRun,
  });
  if (failure || skipsAdmission === true) return failure;
  const attributes = attributesOf(exchange, {
    operation: 'DELETE',
    name: admittedName,
    object: null,
    oldObject: current.view,
    options: deleteOptionsJson(options),
    dryRun,
  });
  const mutated = await runMutatingChain(deps, exchange, attributes);
  const admitted = mutated.ok ? await runValidatingChain(deps, exchange, attributes) : mutated;
  return admitted.ok ? undefined : admitted.status;
}

/** The object if it stays or its strategy returns it, else a Status. */
export function deletionAnswer({ resource, strategy }: RequestTarget, { object, gone }: Deleted): JsonObject {
  if (!gone || strategy.returnsDeletedObject) return object;
  const { name = '', uid = '' } = metadataOf(object);
  const { group } = resource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group === '' ? {} : { group }), kind: resource.resource, uid },
  };
}
