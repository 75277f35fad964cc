// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type CSIDriver = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: CSIDriverSpec;
};

export type CSIDriverList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<CSIDriver>[] | null;
};

export type CSIDriverSpec = {
  readonly attachRequired?: boolean;
  readonly podInfoOnMount?: boolean;
  readonly volumeLifecycleModes?: readonly string[];
  readonly storageCapacity?: boolean;
  readonly fsGroupPolicy?: string;
  readonly tokenRequests?: readonly TokenRequest[];
  readonly requiresRepublish?: boolean;
  readonly seLinuxMount?: boolean;
  readonly nodeAllocatableUpdatePeriodSeconds?: number | bigint;
  readonly serviceAccountTokenInSecrets?: boolean;
  readonly preventPodSchedulingIfMissing?: boolean;
};

export type CSINode = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: CSINodeSpec;
  readonly status?: CSINodeStatus;
};

export type CSINodeDriver = {
  readonly name?: string;
  readonly nodeID?: string;
  readonly topologyKeys?: readonly string[] | null;
  readonly allocatable?: VolumeNodeResources;
};

export type CSINodeList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<CSINode>[] | null;
};

export type CSINodeSpec = {
  readonly drivers?: readonly CSINodeDriver[] | null;
};

export type CSINodeStatus = {
  readonly storageHealth?: readonly StorageHealth[];
};

export type CSIStorageCapacity = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly nodeTopology?: metaV1.LabelSelector;
  readonly storageClassName?: string;
  readonly capacity?: string;
  readonly maximumVolumeSize?: string;
};

export type CSIStorageCapacityList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<CSIStorageCapacity>[] | null;
};

export type StorageClass = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly provisioner?: string;
  readonly parameters?: { readonly [key: string]: string };
  readonly reclaimPolicy?: string;
  readonly mountOptions?: readonly string[];
  readonly allowVolumeExpansion?: boolean;
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly coreV1.TopologySelectorTerm[];
};

export type StorageClassList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<StorageClass>[] | null;
};

export type StorageHealth = {
  readonly name?: string;
  readonly healthConditions?: readonly StorageHealthCondition[];
};

export type StorageHealthCondition = {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly accessMode?: string;
  readonly volumeMode?: string;
  readonly lastTransitionTime?: string | null;
};

export type TokenRequest = {
  readonly audience?: string;
  readonly expirationSeconds?: number | bigint;
};

export type VolumeAttachment = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: VolumeAttachmentSpec;
  readonly status?: VolumeAttachmentStatus;
};

export type VolumeAttachmentList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<VolumeAttachment>[] | null;
};

export type VolumeAttachmentSource = {
  readonly persistentVolumeName?: string;
  readonly inlineVolumeSpec?: coreV1.PersistentVolumeSpec;
};

export type VolumeAttachmentSpec = {
  readonly attacher?: string;
  readonly source?: VolumeAttachmentSource;
  readonly nodeName?: string;
};

export type VolumeAttachmentStatus = {
  readonly attached?: boolean;
  readonly attachmentMetadata?: { readonly [key: string]: string };
  readonly attachError?: VolumeError;
  readonly detachError?: VolumeError;
};

export type VolumeAttributesClass = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly driverName?: string;
  readonly parameters?: { readonly [key: string]: string };
};

export type VolumeAttributesClassList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<VolumeAttributesClass>[] | null;
};

export type VolumeError = {
  readonly time?: string | null;
  readonly message?: string;
  readonly errorCode?: number;
};

export type VolumeNodeResources = {
  readonly count?: number;
};
