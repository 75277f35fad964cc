import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { Random } from '../../machinery/clock.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { OwnRequests } from '../../machinery/meta/own-requests.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { YieldIfLong } from '../../machinery/yield-if-long.ts';
import type { SelectorFaults } from '../validation/resource/device-claims.ts';

/** What differs from resource to resource on the way into storage. Follows apiserver pkg/registry/rest and kubernetes pkg/registry. */
export interface Strategy {
  readonly allowCreateOnUpdate: boolean;
  readonly allowUnconditionalUpdate: boolean;
  /** Go's built-in objects do not say of what group they are, custom ones do. */
  readonly namesGroup: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /** What a DELETE without propagationPolicy means. */
  readonly defaultGarbageCollection: 'Background' | 'Orphan' | 'Unsupported';
  /** What to warn of when a DELETE leaves it at that. */
  readonly defaultGarbageCollectionWarning?: string;
  /** What is taken from elsewhere before the object is prepared, without an `old` one for a new object. */
  readonly begin?: Begin;
  /** What is given back once the object is gone; not asked of dry runs. */
  readonly afterDelete?: (object: KubernetesObject, ports: BeginPorts) => Promise<void>;
  /** What a client is told even if the object is refused, since upstream warns of it while it prepares the object. */
  readonly warningsBeforeCreate: (object: KubernetesObject) => readonly string[];
  /** Status wiped, generation set, and what the registry fills in before validating admission sees the object. */
  readonly prepareForCreate: (object: KubernetesObject, context: StrategyContext) => Result<KubernetesObject>;
  /** The part of `oldObject` that this endpoint may not touch restored, generation counted. `subresource` is '' for the resource itself. */
  readonly prepareForUpdate: (
    object: KubernetesObject,
    oldObject: KubernetesObject,
    subresource: string,
    context: StrategyContext,
  ) => Result<KubernetesObject>;
  /** Compiles the expressions that the validation that follows looks at, with a yield after each; the engine keeps them. */
  readonly compileExpressions?: (
    object: KubernetesObject,
    oldObject: KubernetesObject | undefined,
    yieldIfLong: YieldIfLong,
  ) => Promise<void>;
  readonly validate: (object: KubernetesObject, selectorFaults?: SelectorFaults) => readonly FieldError[];
  readonly validateUpdate: (
    object: KubernetesObject,
    oldObject: KubernetesObject,
    subresource: string,
    selectorFaults?: SelectorFaults,
  ) => readonly FieldError[];
  /** The object as validation leaves it, when nothing is wrong; `subresource` is '' for the resource itself. */
  readonly afterValidation?: (object: KubernetesObject, subresource: string) => KubernetesObject;
  readonly warningsOnCreate: (object: KubernetesObject) => readonly string[];
  readonly warningsOnUpdate: (
    object: KubernetesObject,
    oldObject: KubernetesObject,
    subresource: string,
  ) => readonly string[];
  /** Pods: the seconds to grant; undefined for resources that are deleted at once. */
  readonly gracePeriodSeconds?: (object: KubernetesObject, requested: number | undefined) => number;
}

/** Follows apiserver pkg/registry/generic/registry/store.go BeginCreate and BeginUpdate. */
export type Begin = (
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  context: StrategyContext,
  ports: BeginPorts,
) => Promise<Result<Begun>>;

export interface BeginPorts {
  readonly api: OwnRequests;
  /** Are there IPAddress objects, which stand for the addresses of Services? Not before 1.33. */
  readonly hasIpAddresses: boolean;
}

/** A write that has begun: its object, and what is to be done when it is known what came of it. */
export interface Begun {
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
