import type { FieldError } from '../../machinery/meta/field-error.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { SelectorFaults } from '../validation/resource/device-claims.ts';
import type { Strategy, StrategyContext } from './strategy.ts';
import type { NameRule } from '../validation/meta/name-rule.ts';
import type { MetadataOnUpdate } from './metadata-on-update.ts';

/** What one resource does its own way. Everything left out is the generic behaviour of create-strategy.ts. */
export interface ResourceRules {
  /** Default `Namespaced`; `Any` is for resources we know nothing about. */
  readonly scope?: 'Namespaced' | 'Cluster' | 'Any';
  /** Default: DNS subdomains. */
  readonly name?: NameRule;
  /** Finalizers need no domain: outside the groups whose validation is built on that of the core group. */
  readonly anyFinalizer?: true;
  readonly metadataOnUpdate?: MetadataOnUpdate;
  /** A new object's metadata is not told of, or by `validate` itself. */
  readonly tellsMetadata?: true;
  /** Fields of features that are off by default, which only stay where they were set before. */
  readonly disabled?: readonly (readonly [field: string, inner: string])[];
  readonly allowCreateOnUpdate?: true;
  /** AllowUnconditionalUpdate is false: an update has to say which resourceVersion it saw. */
  readonly needsResourceVersion?: true;
  readonly returnsDeletedObject?: true;
  readonly namesGroup?: true;
  readonly defaultGarbageCollection?: Strategy['defaultGarbageCollection'];
  readonly defaultGarbageCollectionWarning?: string;

  /** Does this update through the main resource make a new generation? Absent: generation is not managed. */
  readonly newGeneration?: (object: KubernetesObject, old: KubernetesObject) => boolean;
  /** An empty list is another value than none to `newGeneration`: upstream's strategy uses reflect.DeepEqual, not apiequality. */
  readonly countsEmpty?: true;
  /** The status of a new object, whatever the client sent. Absent: the resource has no status of its own. */
  readonly emptyStatus?: JsonObject | ((object: KubernetesObject, context: StrategyContext) => JsonObject);
  /** The status endpoint keeps labels, annotations, owners and finalizers too. */
  readonly statusKeepsMetadata?: true;

  readonly begin?: Strategy['begin'];
  readonly afterDelete?: Strategy['afterDelete'];
  readonly warningsBeforeCreate?: Strategy['warningsBeforeCreate'];
  /** After generation and status are set. */
  readonly prepareForCreate?: (object: KubernetesObject, context: StrategyContext) => Result<KubernetesObject>;
  /** After status (or, on a subresource, the rest) is restored and generation counted. */
  readonly prepareForUpdate?: (
    object: KubernetesObject,
    old: KubernetesObject,
    subresource: string,
    context: StrategyContext,
  ) => Result<KubernetesObject>;
  /** Instead of the generic restoration, for subresources that are neither '' nor `status`. */
  readonly restore?: Readonly<Record<string, Restore>>;

  /** Complaints after those about metadata. */
  readonly validate?: (object: KubernetesObject, selectorFaults?: SelectorFaults) => readonly FieldError[];
  /** Complaints after those about changed metadata; nothing of `validate` is run unless this does. */
  readonly validateUpdate?: (
    object: KubernetesObject,
    old: KubernetesObject,
    subresource: string,
    selectorFaults?: SelectorFaults,
  ) => readonly FieldError[];
  readonly warningsOnCreate?: Strategy['warningsOnCreate'];
  readonly warningsOnUpdate?: Strategy['warningsOnUpdate'];
  readonly gracePeriodSeconds?: NonNullable<Strategy['gracePeriodSeconds']>;
}

/** The object with everything put back that the endpoint may not touch. */
type Restore = (object: KubernetesObject, old: KubernetesObject) => KubernetesObject;
