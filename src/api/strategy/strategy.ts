import type { ClusterView, LoopbackClient } from '../../machinery/meta/cluster-view.ts';
import type { Random, YieldIfLong } from '../../machinery/clock.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import { type Result, ok, refuse } from '../../machinery/meta/result.ts';
import type { ValidateSelector } from '../validation/resource/device-claims.ts';
import { badRequest } from '../../machinery/meta/status.ts';

/** Follows apiserver pkg/registry/rest and kubernetes pkg/registry. */
export interface Strategy {
  readonly allowCreateOnUpdate: boolean;
  readonly allowUnconditionalUpdate: boolean;
  /** Whether errors include the group: Go's built-in objects lack it, custom ones have it. */
  readonly namesGroup: boolean;
  /** DELETE returns the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /** The default propagationPolicy of DELETE. */
  readonly defaultGarbageCollection: 'Background' | 'Orphan' | 'Unsupported';
  readonly defaultGarbageCollectionWarning?: string;
  /** Allocates before the object is prepared; without `old` for a create. */
  readonly begin?: Begin;
  /** Releases what was allocated; not called on dry runs. */
  readonly afterDelete?: (object: KubernetesObject, ports: BeginPorts) => Promise<void>;
  /** Warnings that upstream adds while preparing, even if the object is rejected. */
  readonly warningsBeforeCreate: (object: KubernetesObject) => readonly string[];
  /** Clears status, sets generation and defaults of the registry. */
  readonly prepareForCreate: (object: KubernetesObject, context: StrategyContext) => Result<KubernetesObject>;
  /** Restores what this endpoint must not change and sets generation. `subresource` is '' for the resource itself. */
  readonly prepareForUpdate: (
    object: KubernetesObject,
    oldObject: KubernetesObject,
    subresource: string,
    context: StrategyContext,
  ) => Result<KubernetesObject>;
  /** Compiles expressions before validation, yielding after each; the engine caches them. */
  readonly compileExpressions?: (
    object: KubernetesObject,
    oldObject: KubernetesObject | undefined,
    yieldIfLong: YieldIfLong,
  ) => Promise<void>;
  readonly validate: (object: KubernetesObject, selectorFaults?: ValidateSelector) => readonly FieldError[];
  readonly validateUpdate: (
    object: KubernetesObject,
    oldObject: KubernetesObject,
    subresource: string,
    selectorFaults?: ValidateSelector,
  ) => readonly FieldError[];
  /** Adds the errors of tags of the API's types to those of `validate`, or of `validateUpdate` with an old object. */
  readonly validateDeclaratively?: (
    errors: readonly FieldError[],
    object: KubernetesObject,
    oldObject?: KubernetesObject,
  ) => readonly FieldError[];
  /** The object after successful validation; `subresource` is '' for the resource itself. */
  readonly afterValidation?: (object: KubernetesObject, subresource: string) => KubernetesObject;
  readonly warningsOnCreate: (object: KubernetesObject) => readonly string[];
  readonly warningsOnUpdate: (
    object: KubernetesObject,
    oldObject: KubernetesObject,
    subresource: string,
  ) => readonly string[];
  /** Pods: the seconds to grant; undefined for immediate deletion. */
  readonly gracePeriodSeconds?: (object: KubernetesObject, requested: number | undefined) => number;
}

/** Follows apiserver pkg/registry/generic/registry/store.go BeginCreate and BeginUpdate. */
export type Begin = (
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  context: StrategyContext,
  ports: BeginPorts,
) => Promise<Result<BegunWrite>>;

export interface BeginPorts {
  readonly api: LoopbackClient;
  /** Services have IPAddress objects since 1.33. */
  readonly hasIpAddresses: boolean;
}

/** `finish` runs after the write succeeded or failed. */
export interface BegunWrite {
  readonly object: KubernetesObject;
  readonly finish: (stored: boolean) => Promise<void>;
}

export interface StrategyContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly random: Random;
  readonly newUid: () => string;
  readonly cluster: ClusterView;
  readonly user: {
    readonly username: string;
    readonly uid: string;
    readonly groups: readonly string[];
    readonly extra: Readonly<Record<string, readonly string[]>>;
  };
  /** `--service-cluster-ip-range`, e.g. 10.0.0.0/24. */
  readonly serviceClusterIpRange: string;
  readonly dryRun: boolean;
}

/**
 * Prepares an update for validation. `namespace` is the request's. Follows apiserver pkg/registry/rest/update.go
 * BeforeUpdate.
 */
export function beforeUpdate(
  strategy: Strategy,
  { object, oldObject, subresource, namespace }: UpdateInput,
  context: StrategyContext,
): Result<KubernetesObject> {
  const named = ensureNamespace(object, namespace);
  if (!named.ok) return named;
  const old = metadataOf(oldObject);
  const counted = withMetadata(named.value, { generation: old.generation });
  const prepared = strategy.prepareForUpdate(counted, oldObject, subresource, context);
  if (!prepared.ok) return prepared;
  const metadata = metadataOf(prepared.value);
  return ok(
    withMetadata(prepared.value, {
      uid: metadata.uid || old.uid,
      creationTimestamp: old.creationTimestamp ?? metadata.creationTimestamp,
      deletionTimestamp: old.deletionTimestamp ?? metadata.deletionTimestamp,
      deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds,
    }),
  );
}

interface UpdateInput {
  readonly object: KubernetesObject;
  readonly oldObject: KubernetesObject;
  readonly subresource: string;
  /** '' for a cluster-scoped resource. */
  readonly namespace: string;
}

/**
 * `namespace` is the request's, '' for a cluster-scoped resource; the object has its name, uid and creationTimestamp.
 * Follows apiserver pkg/registry/rest/create.go BeforeCreate.
 */
export function beforeCreate(
  strategy: Strategy,
  object: KubernetesObject,
  namespace: string,
  context: StrategyContext,
): Result<KubernetesObject> {
  const named = ensureNamespace(object, namespace);
  return named.ok ? strategy.prepareForCreate(named.value, context) : named;
}

/** Follows apiserver pkg/registry/rest/meta.go EnsureObjectNamespaceMatchesRequestNamespace (rule PATH-6). */
export function ensureNamespace(object: KubernetesObject, namespace: string): Result<KubernetesObject> {
  const own = metadataOf(object).namespace ?? '';
  if (own === namespace) return ok(object);
  if (own === '') return ok(withMetadata(object, { namespace }));
  if (namespace === '') return ok(withMetadata(object, { namespace: undefined }));
  return refuse(badRequest('the namespace of the provided object does not match the namespace sent on the request'));
}

/** Follows ValidateCreate of pkg/registry/rest/create.go. */
export function validateForCreate(strategy: Strategy, object: KubernetesObject): readonly FieldError[] {
  const errors = strategy.validate(object);
  return strategy.validateDeclaratively?.(errors, object) ?? errors;
}

/** Follows ValidateUpdate of pkg/registry/rest/update.go. */
export function validateForUpdate(
  strategy: Strategy,
  object: KubernetesObject,
  old: KubernetesObject,
  subresource: string,
): readonly FieldError[] {
  const errors = strategy.validateUpdate(object, old, subresource);
  return strategy.validateDeclaratively?.(errors, object, old) ?? errors;
}
