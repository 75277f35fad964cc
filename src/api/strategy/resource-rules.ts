import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { withMetadata, metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import type { Strategy, StrategyContext } from './strategy.ts';
import type { NameRule } from '../validation/meta/object-meta.ts';
import { equalExceptField, sameJson } from '../../machinery/json/json-equal.ts';

type GenericField = 'allowUnconditionalUpdate' | 'compileExpressions' | 'validateDeclaratively' | 'afterValidation';

/**
 * Fields that are absent use the generic behaviour of create-strategy.ts. `prepareForCreate` and `prepareForUpdate` run
 * after generation and status are set and fields are restored. `validate` and `validateUpdate` give the errors after
 * those of metadata; `validateUpdate` must call `validate` itself.
 */
export interface ResourceRules extends Partial<Omit<Strategy, GenericField>> {
  /** Default `Namespaced`; `Any` is for custom resources. */
  readonly scope?: 'Namespaced' | 'Cluster' | 'Any';
  /** Default: DNS subdomains. */
  readonly name?: NameRule;
  /** Finalizers need no domain. */
  readonly anyFinalizer?: true;
  readonly metadataOnUpdate?: MetadataOnUpdate;
  /** `validate` includes metadata errors. */
  readonly reportsMetadata?: true;
  /** Fields of features off by default; they stay if set before. */
  readonly disabled?: readonly (readonly [field: string, inner: string])[];
  /** AllowUnconditionalUpdate is false: an update requires a resourceVersion. */
  readonly needsResourceVersion?: true;

  /** Whether an update of the main resource increments the generation. Absent: generation is not managed. */
  readonly newGeneration?: (object: KubernetesObject, old: KubernetesObject) => boolean;
  /** `newGeneration` distinguishes nil from empty: upstream uses reflect.DeepEqual. */
  readonly countsEmpty?: true;
  /** The status of a new object. Absent: the resource has no status subresource. */
  readonly emptyStatus?: JsonObject | ((object: KubernetesObject, context: StrategyContext) => JsonObject);
  /** The status endpoint keeps the old labels, annotations, owners and finalizers. */
  readonly statusKeepsMetadata?: true;

  /** Restores fields that the subresource must not change. */
  readonly restore?: Readonly<Record<string, Restore>>;
}

type Restore = (object: KubernetesObject, old: KubernetesObject) => KubernetesObject;

/** `undefined` removes the field; a new `spec` goes before other fields, others to the end. */
export function withField(object: KubernetesObject, field: string, value: JsonValue | undefined): KubernetesObject {
  if (value === undefined) {
    if (!Object.hasOwn(object, field)) return object;
    const { [field]: _removed, ...rest } = object;
    return rest as KubernetesObject; // TypeScript cannot say "T without an optional field".
  }
  if (object[field] === value) return object;
  if (Object.hasOwn(object, field) || field !== 'spec') return { ...object, [field]: value };
  const { kind, apiVersion, metadata } = object;
  const first = { kind, apiVersion, ...(metadata ? { metadata } : {}), spec: value };
  return { ...first, ...object, ...first };
}

/** The metadata that a subresource does not change is that of the old object. */
export function keepMetadata(object: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const { labels, annotations, finalizers, ownerReferences, deletionTimestamp } = metadataOf(old);
  return withMetadata(object, { labels, annotations, finalizers, ownerReferences, deletionTimestamp });
}

type ChangesGeneration = (object: KubernetesObject, old: KubernetesObject) => boolean;

export const fieldsChanged =
  (...fields: readonly string[]): ChangesGeneration =>
  (object, old) =>
    fields.some((field) => !sameJson(object[field], old[field]));

/** Generation stays 1. */
export const neverChanged: ChangesGeneration = () => false;

/** Follows kubernetes pkg/registry/apps/deployment/strategy.go. */
export const specOrAnnotationsChanged: ChangesGeneration = (object, old) =>
  fieldsChanged('spec')(object, old) || !sameJson(metadataOf(object).annotations, metadataOf(old).annotations);

/** Follows kubernetes pkg/registry/discovery/endpointslice/strategy.go. */
export const contentOrLabelsChanged: ChangesGeneration = (object, old) =>
  contentChanged(object, old) || !sameJson(metadataOf(object).labels, metadataOf(old).labels);

/** Follows apiextensions-apiserver pkg/registry/customresource/strategy.go. */
export const contentChanged: ChangesGeneration = (object, old) => !equalExceptField('metadata', object, old);

/** `whole` metadata as for a new object, its `changes`, or the complete validation of a new object. */
export type MetadataPart = 'whole' | 'changes' | 'all as if new';

/** The kind's own metadata errors of an update, in addition to those of all kinds. */
export interface MetadataOnUpdate {
  readonly object: readonly MetadataPart[];
  readonly subresource: readonly MetadataPart[];
}

const defaultMetadata: MetadataOnUpdate = { object: ['changes'], subresource: ['changes'] };
/** The kind's validation includes metadata. */
const noMetadata: MetadataOnUpdate = { object: [], subresource: [] };
const wholeMetadata: MetadataOnUpdate = { object: ['whole'], subresource: ['changes'] };
const changesFirst: MetadataOnUpdate = { object: ['changes', 'whole'], subresource: ['changes'] };
const changesLast: MetadataOnUpdate = { object: ['whole', 'changes'], subresource: ['changes'] };
const asIfNewFirst: MetadataOnUpdate = { object: ['all as if new', 'changes'], subresource: ['changes'] };

/** Follows ValidateUpdate in kubernetes pkg/registry and the functions of pkg/apis that it calls. */
const metadataOnUpdate: Readonly<Record<string, MetadataOnUpdate | undefined>> = {
  '/endpoints': changesFirst,
  '/events': noMetadata,
  '/limitranges': wholeMetadata,
  '/namespaces': asIfNewFirst,
  '/nodes': asIfNewFirst,
  '/persistentvolumeclaims': changesFirst,
  'admissionregistration.k8s.io/mutatingadmissionpolicies': wholeMetadata,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': wholeMetadata,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': wholeMetadata,
  'admissionregistration.k8s.io/validatingadmissionpolicies': { ...wholeMetadata, subresource: [] },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': wholeMetadata,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': wholeMetadata,
  'batch/cronjobs': { ...defaultMetadata, subresource: [] },
  'batch/jobs': asIfNewFirst,
  'certificates.k8s.io/certificatesigningrequests': noMetadata,
  'discovery.k8s.io/endpointslices': wholeMetadata,
  'events.k8s.io/events': noMetadata,
  'flowcontrol.apiserver.k8s.io/flowschemas': noMetadata,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': noMetadata,
  'networking.k8s.io/ingresses': changesFirst,
  'networking.k8s.io/ipaddresses': asIfNewFirst,
  'node.k8s.io/runtimeclasses': asIfNewFirst,
  'policy/poddisruptionbudgets': noMetadata,
  'rbac.authorization.k8s.io/clusterrolebindings': asIfNewFirst,
  'rbac.authorization.k8s.io/clusterroles': asIfNewFirst,
  'rbac.authorization.k8s.io/rolebindings': asIfNewFirst,
  'rbac.authorization.k8s.io/roles': asIfNewFirst,
  'resource.k8s.io/deviceclasses': changesLast,
  'resource.k8s.io/resourceclaims': changesLast,
  'resource.k8s.io/resourceclaimtemplates': asIfNewFirst,
  'storage.k8s.io/csinodes': noMetadata,
  'storage.k8s.io/csistoragecapacities': asIfNewFirst,
  'storage.k8s.io/storageclasses': asIfNewFirst,
  'storage.k8s.io/volumeattachments': noMetadata,
};

/** `resource` is `group/resource`. */
export const metadataPartsOnUpdate = (resource: string): MetadataOnUpdate =>
  metadataOnUpdate[resource] ?? defaultMetadata;
