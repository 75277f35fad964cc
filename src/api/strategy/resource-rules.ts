import type { FieldError } from '../../machinery/meta/field-error.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { SelectorFaults } from '../validation/resource/device-claims.ts';
import type { Strategy, StrategyContext } from './strategy.ts';
import type { NameRule } from '../validation/meta/name-rule.ts';
import type { MetadataOnUpdate } from './metadata-on-update.ts';

/** Fields that are absent use the generic behaviour of create-strategy.ts. */
export interface ResourceRules {
  /** Default `Namespaced`; `Any` is for custom resources. */
  readonly scope?: 'Namespaced' | 'Cluster' | 'Any';
  /** Default: DNS subdomains. */
  readonly name?: NameRule;
  /** Finalizers need no domain. */
  readonly anyFinalizer?: true;
  readonly metadataOnUpdate?: MetadataOnUpdate;
  /** `validate` includes metadata errors. */
  readonly tellsMetadata?: true;
  /** Fields of features off by default; they stay if set before. */
  readonly disabled?: readonly (readonly [field: string, inner: string])[];
  readonly allowCreateOnUpdate?: true;
  /** AllowUnconditionalUpdate is false: an update requires a resourceVersion. */
  readonly needsResourceVersion?: true;
  readonly returnsDeletedObject?: true;
  readonly namesGroup?: true;
  readonly defaultGarbageCollection?: Strategy['defaultGarbageCollection'];
  readonly defaultGarbageCollectionWarning?: string;

  /** Whether an update of the main resource increments the generation. Absent: generation is not managed. */
  readonly newGeneration?: (object: KubernetesObject, old: KubernetesObject) => boolean;
  /** `newGeneration` distinguishes nil from empty: upstream uses reflect.DeepEqual. */
  readonly countsEmpty?: true;
  /** The status of a new object. Absent: the resource has no status subresource. */
  readonly emptyStatus?: JsonObject | ((object: KubernetesObject, context: StrategyContext) => JsonObject);
  /** The status endpoint keeps the old labels, annotations, owners and finalizers. */
  readonly statusKeepsMetadata?: true;

  readonly begin?: Strategy['begin'];
  readonly afterDelete?: Strategy['afterDelete'];
  readonly warningsBeforeCreate?: Strategy['warningsBeforeCreate'];
  /** Called after generation and status are set. */
  readonly prepareForCreate?: (object: KubernetesObject, context: StrategyContext) => Result<KubernetesObject>;
  /** Called after fields are restored and generation is set. */
  readonly prepareForUpdate?: (
    object: KubernetesObject,
    old: KubernetesObject,
    subresource: string,
    context: StrategyContext,
  ) => Result<KubernetesObject>;
  /** Restores fields that the subresource must not change. */
  readonly restore?: Readonly<Record<string, Restore>>;

  /** Errors after those of metadata. */
  readonly validate?: (object: KubernetesObject, selectorFaults?: SelectorFaults) => readonly FieldError[];
  /** Errors after those of metadata; must call `validate` itself. */
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

type Restore = (object: KubernetesObject, old: KubernetesObject) => KubernetesObject;
