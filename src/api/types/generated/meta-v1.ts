// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { ObjectMeta } from '../../../machinery/meta/object.ts';

export type ApplyOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly dryRun?: readonly string[];
  readonly force?: boolean;
  readonly fieldManager?: string;
};

export type Condition = {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number | bigint;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type CreateOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
};

export type DeleteOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly gracePeriodSeconds?: number | bigint;
  readonly preconditions?: Preconditions;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
};

export type FieldSelectorRequirement = {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type GetOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly resourceVersion?: string;
};

export type GroupResource = {
  readonly group?: string;
  readonly resource?: string;
};

export type GroupVersionKind = {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
};

export type GroupVersionResource = {
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
};

export type LabelSelector = {
  readonly matchLabels?: { readonly [key: string]: string };
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
};

export type LabelSelectorRequirement = {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type List = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ListMeta;
  readonly items?: readonly JsonValue[] | null;
};

export type ListMeta = {
  readonly selfLink?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number | bigint;
  readonly shardInfo?: ShardInfo;
};

export type ListOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly watch?: boolean;
  readonly allowWatchBookmarks?: boolean;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly timeoutSeconds?: number | bigint;
  readonly limit?: number | bigint;
  readonly continue?: string;
  readonly sendInitialEvents?: boolean;
  readonly shardSelector?: string;
};

export type ManagedFieldsEntry = {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
};

export type OwnerReference = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
};

export type PartialObjectMetadata = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
};

export type PartialObjectMetadataList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ListMeta;
  readonly items?: readonly Partial<PartialObjectMetadata>[] | null;
};

export type PatchOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly dryRun?: readonly string[];
  readonly force?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
};

export type Preconditions = {
  readonly uid?: string;
  readonly resourceVersion?: string;
};

export type ShardInfo = {
  readonly selector?: string;
};

export type Status = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ListMeta;
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
};

export type StatusCause = {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
};

export type StatusDetails = {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
};

export type Table = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ListMeta;
  readonly columnDefinitions?: readonly TableColumnDefinition[] | null;
  readonly rows?: readonly TableRow[] | null;
};

export type TableColumnDefinition = {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
};

export type TableOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly includeObject?: string;
};

export type TableRow = {
  readonly cells?: readonly JsonValue[] | null;
  readonly conditions?: readonly TableRowCondition[];
  readonly object?: JsonValue | null;
};

export type TableRowCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
};

export type UpdateOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
};

export type WatchEvent = {
  readonly type?: string;
  readonly object?: JsonValue | null;
};
