// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type DeviceTaint = {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly timeAdded?: string;
};

export type DeviceTaintRule = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: DeviceTaintRuleSpec;
  readonly status?: DeviceTaintRuleStatus;
};

export type DeviceTaintRuleList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<DeviceTaintRule>[] | null;
};

export type DeviceTaintRuleSpec = {
  readonly deviceSelector?: DeviceTaintSelector;
  readonly taint?: DeviceTaint;
};

export type DeviceTaintRuleStatus = {
  readonly conditions?: readonly metaV1.Condition[];
};

export type DeviceTaintSelector = {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
};

export type PartitionTypeStatus = {
  readonly attribute?: string;
  readonly type?: string;
  readonly total?: number;
  readonly allocatable?: number;
};

export type PoolStatus = {
  readonly driver?: string;
  readonly poolName?: string;
  readonly generation?: number | bigint;
  readonly resourceSliceCount?: number;
  readonly totalDevices?: number;
  readonly allocatedDevices?: number;
  readonly availableDevices?: number;
  readonly unavailableDevices?: number;
  readonly nodeName?: string;
  readonly validationError?: string;
  readonly partitionSummary?: readonly PartitionTypeStatus[];
  readonly shareableSummary?: ShareableSummaryStatus;
};

export type ResourcePoolStatusRequest = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourcePoolStatusRequestSpec;
  readonly status?: ResourcePoolStatusRequestStatus;
};

export type ResourcePoolStatusRequestList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ResourcePoolStatusRequest>[] | null;
};

export type ResourcePoolStatusRequestSpec = {
  readonly driver?: string;
  readonly poolName?: string;
  readonly limit?: number;
  readonly defaultPartitionTypeAttribute?: string;
};

export type ResourcePoolStatusRequestStatus = {
  readonly poolCount?: number;
  readonly pools?: readonly PoolStatus[];
  readonly conditions?: readonly metaV1.Condition[];
};

export type ShareableCapacityStatus = {
  readonly name?: string;
  readonly total?: string;
  readonly consumed?: string;
  readonly available?: string;
};

export type ShareableSummaryStatus = {
  readonly fullyAvailableDevices?: number;
  readonly partiallyAvailableDevices?: number;
  readonly capacity?: readonly ShareableCapacityStatus[];
};
