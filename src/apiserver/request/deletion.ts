import type { Strategy } from '../../api/strategy/strategy.ts';
import { asList, valueAt, withValue } from '../../machinery/json/json.ts';
import { parseApiVersion } from '../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { conflict, type Status } from '../../machinery/meta/status.ts';
import { failedPreconditionText } from './storage-error.ts';
import { formatTime, parseTime } from '../../machinery/meta/time.ts';
import type { DecodedDeleteOptions } from './delete-options.ts';

/** The plan of a DELETE, made once from the object as first read. */
export type DeletionPlan =
  /** A deletion in progress would not become faster: nothing happens, without admission. */
  | { readonly plan: 'already-deleting' }
  /** Finalizers or a grace period: the object is marked first. */
  | { readonly plan: 'mark'; readonly options: DecodedDeleteOptions; readonly mark: Mark }
  | { readonly plan: 'remove'; readonly options: DecodedDeleteOptions };

/** Marks the currently stored object, which may differ from the planned one. */
export type Mark = (object: KubernetesObject, now: number) => Result<Marking>;

export type Marking =
  | { readonly marking: 'already-deleting' }
  /** No finalizer is left: remove without a write. */
  | { readonly marking: 'remove' }
  /** Store `next`, then remove it unless it `waits` for finalizers or grace. */
  | { readonly marking: 'store'; readonly next: KubernetesObject; readonly waits: boolean };

export function planDeletion(
  object: KubernetesObject,
  requested: DecodedDeleteOptions,
  strategy: Strategy,
  now: number,
): Result<DeletionPlan> {
  const before = beforeDelete(object, requested, strategy, now);
  if (!before.ok) return before;
  const { step, options } = before.value;
  if (step === 'already-deleting') return ok({ plan: step });
  const isMarked =
    step === 'graceful' || hasFinalizers(object) || updateCollectorFinalizers(object, options, strategy).changed;
  if (!isMarked) return ok({ plan: 'remove', options });
  return ok({ plan: 'mark', options, mark: (latest, at) => markForDeletion(latest, options, strategy, at) });
}

/** Follows apiserver pkg/registry/generic/registry/store.go updateForGracefulDeletionAndFinalizers. */
function markForDeletion(
  object: KubernetesObject,
  requested: DecodedDeleteOptions,
  strategy: Strategy,
  now: number,
): Result<Marking> {
  const before = beforeDelete(object, requested, strategy, now);
  if (!before.ok) return before;
  const step = before.value;
  if (step.step === 'already-deleting') return ok({ marking: 'already-deleting' });
  const { options } = step;
  if (step.step === 'graceful') {
    const next = updateCollectorFinalizers(step.marked, options, strategy).object;
    return ok({ marking: 'store', next, waits: hasFinalizers(next) || (options.gracePeriodSeconds ?? 0) > 0 });
  }
  const next = updateCollectorFinalizers(object, options, strategy).object;
  if (!hasFinalizers(next)) return ok({ marking: 'remove' });
  return ok({ marking: 'store', next: markAsDeleting(next, now), waits: true });
}

const hasFinalizers = (object: KubernetesObject): boolean => (metadataOf(object).finalizers ?? []).length > 0;

type DeletionStep =
  | { readonly step: 'already-deleting'; readonly options: DecodedDeleteOptions }
  /** Marked first; removed at once if its grace is 0. */
  | { readonly step: 'graceful'; readonly options: DecodedDeleteOptions; readonly marked: KubernetesObject }
  | { readonly step: 'immediate'; readonly options: DecodedDeleteOptions };

/**
 * Checks preconditions and sets the grace period. `now` in milliseconds since 1970. Follows apiserver
 * pkg/registry/rest/delete.go BeforeDelete.
 */
function beforeDelete(
  object: KubernetesObject,
  requested: DecodedDeleteOptions,
  strategy: Strategy,
  now: number,
): Result<DeletionStep> {
  const failed = checkPreconditions(object, requested, strategy);
  if (failed) return refuse(failed);
  const negative = requested.gracePeriodSeconds !== undefined && requested.gracePeriodSeconds < 0;
  const options = negative ? { ...requested, gracePeriodSeconds: 1 } : requested;
  if (!strategy.gracePeriodSeconds) return ok({ step: 'immediate', options });
  const { deletionTimestamp, generation } = metadataOf(object);
  if (deletionTimestamp !== undefined) return ok(shortenGracePeriod(object, options, deletionTimestamp));
  const granted = strategy.gracePeriodSeconds(object, options.gracePeriodSeconds);
  const marked = withMetadata(object, {
    deletionTimestamp: formatTime(now + granted * 1000),
    deletionGracePeriodSeconds: granted,
    ...(generation !== undefined && generation > 0 ? { generation: generation + 1 } : {}),
  });
  return ok({ step: 'graceful', options: { ...options, gracePeriodSeconds: granted }, marked });
}

function checkPreconditions(
  object: KubernetesObject,
  { preconditions }: DecodedDeleteOptions,
  { namesGroup }: Strategy,
): Status | undefined {
  const problem = preconditionProblem(preconditions, object);
  if (problem === undefined) return undefined;
  const subject = { group: namesGroup ? parseApiVersion(object.apiVersion).group : '', resource: object.kind };
  return conflict(subject, metadataOf(object).name ?? '', problem);
}

interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The first precondition that fails, in the words of BeforeDelete. */
export function preconditionProblem(preconditions: Preconditions = {}, object: KubernetesObject): string | undefined {
  const { uid = '', resourceVersion = '' } = metadataOf(object);
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    return `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
  }
  const version = preconditions.resourceVersion;
  if (version === undefined || version === resourceVersion) return undefined;
  return `the ResourceVersion in the precondition (${version}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
}

/** A deletion in progress may only become faster. */
function shortenGracePeriod(
  object: KubernetesObject,
  options: DecodedDeleteOptions,
  deletionTimestamp: string,
): DeletionStep {
  const pending = metadataOf(object).deletionGracePeriodSeconds ?? 0;
  // Marked, but its removal failed: try again.
  if (pending === 0) return { step: 'immediate', options };
  const requested = options.gracePeriodSeconds;
  if (requested === undefined || requested >= pending) {
    return { step: 'already-deleting', options: { ...options, gracePeriodSeconds: requested ?? pending } };
  }
  const at = parseTime(deletionTimestamp);
  const start = (at.outcome === 'parsed' ? at.moment.seconds - pending : 0) * 1000;
  const marked = withMetadata(object, {
    deletionTimestamp: formatTime(start + requested * 1000),
    deletionGracePeriodSeconds: requested,
  });
  return { step: 'graceful', options, marked };
}

/** For finalizers, without grace. Follows apiserver store.go markAsDeleting. */
function markAsDeleting(object: KubernetesObject, now: number): KubernetesObject {
  const { generation, deletionTimestamp } = metadataOf(object);
  return withMetadata(object, {
    ...(generation !== undefined && generation > 0 && deletionTimestamp === undefined
      ? { generation: generation + 1 }
      : {}),
    deletionTimestamp: deletionTimestamp ?? formatTime(now),
    deletionGracePeriodSeconds: 0,
  });
}

const collectors = ['orphan', 'foregroundDeletion'];

/**
 * Adds or removes the garbage collector's finalizers. Follows apiserver pkg/registry/generic/registry/store.go
 * deletionFinalizersForGarbageCollection.
 */
function updateCollectorFinalizers(
  object: KubernetesObject,
  options: DecodedDeleteOptions,
  strategy: Strategy,
): { readonly object: KubernetesObject; readonly changed: boolean } {
  const before = metadataOf(object).finalizers ?? [];
  const previous = new Set(before);
  const after = before.filter((finalizer) => !collectors.includes(finalizer));
  if (orphansDependents(before, options, strategy)) after.push('orphan');
  if (deletesDependents(before, options, strategy)) after.push('foregroundDeletion');
  const changed = after.length !== before.length || after.some((finalizer) => !previous.has(finalizer));
  return {
    changed,
    object: changed ? withMetadata(object, { finalizers: after.length > 0 ? after : undefined }) : object,
  };
}

function orphansDependents(finalizers: readonly string[], options: DecodedDeleteOptions, strategy: Strategy): boolean {
  if (strategy.defaultGarbageCollection === 'Unsupported') return false;
  if (options.orphanDependents !== undefined) return options.orphanDependents;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === 'Orphan';
  const chosen = finalizers.find((finalizer) => collectors.includes(finalizer));
  return chosen === undefined ? strategy.defaultGarbageCollection === 'Orphan' : chosen === 'orphan';
}

function deletesDependents(finalizers: readonly string[], options: DecodedDeleteOptions, strategy: Strategy): boolean {
  if (strategy.defaultGarbageCollection === 'Unsupported' || options.orphanDependents !== undefined) return false;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === 'Foreground';
  return finalizers.find((finalizer) => collectors.includes(finalizer)) === 'foregroundDeletion';
}

/**
 * The first DELETE marks it Terminating, later ones do nothing until `spec.finalizers` is empty. Follows kubernetes
 * pkg/registry/core/namespace/storage/storage.go Delete (rule PATH-45).
 */
export function planNamespaceDeletion(
  namespace: KubernetesObject,
  requested: DecodedDeleteOptions,
  strategy: Strategy,
  now: number,
): Result<DeletionPlan> {
  const { name = '', uid = '', deletionTimestamp } = metadataOf(namespace);
  const text = uidAndVersionProblem(namespace, requested);
  if (text !== undefined) return refuse(conflict({ group: '', resource: 'namespaces' }, name, text));
  const options = { ...requested, preconditions: { ...requested.preconditions, uid } };
  if (deletionTimestamp === undefined) {
    const mark: Mark = (latest, at) =>
      ok({ marking: 'store', next: markAsTerminating(latest, options, at), waits: true });
    return ok({ plan: 'mark', options, mark });
  }
  if (asList(valueAt(namespace, 'spec', 'finalizers')).length > 0) return ok({ plan: 'already-deleting' });
  return planDeletion(namespace, options, strategy, now);
}

/** The texts of registries that check preconditions themselves. */
export function uidAndVersionProblem(
  object: KubernetesObject,
  { preconditions = {} }: DecodedDeleteOptions,
): string | undefined {
  const { uid = '', resourceVersion = '' } = metadataOf(object);
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    return failedPreconditionText({ field: 'UID', expected: preconditions.uid, actual: uid });
  }
  const expected = preconditions.resourceVersion;
  if (expected === undefined || expected === resourceVersion) return undefined;
  return failedPreconditionText({ field: 'ResourceVersion', expected, actual: resourceVersion });
}

function markAsTerminating(namespace: KubernetesObject, options: DecodedDeleteOptions, now: number): KubernetesObject {
  const { finalizers = [], deletionTimestamp } = metadataOf(namespace);
  const collectors = [
    ...(usesPropagation('Orphan', options, finalizers.includes('orphan')) ? ['orphan'] : []),
    ...(usesPropagation('Foreground', options, finalizers.includes('foregroundDeletion'))
      ? ['foregroundDeletion']
      : []),
  ];
  const others = finalizers.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  const next = [...others, ...collectors];
  const marked = withMetadata(namespace, {
    deletionTimestamp: deletionTimestamp ?? formatTime(now),
    finalizers: next.length > 0 ? next : undefined,
  });
  return withValue(marked, ['status', 'phase'], 'Terminating');
}

/** Dependents are deleted in the foreground unless orphaned. */
function usesPropagation(policy: 'Orphan' | 'Foreground', options: DecodedDeleteOptions, isSet: boolean): boolean {
  const { orphanDependents, propagationPolicy } = options;
  if (orphanDependents !== undefined) return orphanDependents === (policy === 'Orphan');
  return propagationPolicy === undefined ? isSet : propagationPolicy === policy;
}
