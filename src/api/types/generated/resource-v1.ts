// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { JsonValue } from '../../../machinery/json/json.ts';
import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type AllocatedDeviceStatus = {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly shareID?: string;
  readonly conditions?: readonly metaV1.Condition[] | null;
  readonly data?: JsonValue;
  readonly networkData?: NetworkDeviceData;
};

export type AllocationResult = {
  readonly devices?: DeviceAllocationResult;
  readonly nodeSelector?: coreV1.NodeSelector;
  readonly allocationTimestamp?: string;
};

export type CELDeviceSelector = {
  readonly expression?: string;
};

export type CapacityRequestPolicy = {
  readonly default?: string | null;
  readonly validValues?: readonly string[];
  readonly validRange?: CapacityRequestPolicyRange;
};

export type CapacityRequestPolicyRange = {
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
};

export type CapacityRequirements = {
  readonly requests?: { readonly [key: string]: string };
};

export type Counter = {
  readonly value?: string;
};

export type CounterSet = {
  readonly name?: string;
  readonly counters?: { readonly [key: string]: Counter };
};

export type Device = {
  readonly name?: string;
  readonly attributes?: { readonly [key: string]: DeviceAttribute };
  readonly capacity?: { readonly [key: string]: DeviceCapacity };
  readonly consumesCounters?: readonly DeviceCounterConsumption[];
  readonly nodeName?: string;
  readonly nodeSelector?: coreV1.NodeSelector;
  readonly allNodes?: boolean;
  readonly taints?: readonly DeviceTaint[];
  readonly bindsToNode?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly allowMultipleAllocations?: boolean;
  readonly nodeAllocatableResources?: { readonly [key: string]: NodeAllocatableResource };
};

export type DeviceAllocationConfiguration = {
  readonly source?: string;
  readonly requests?: readonly string[];
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type DeviceAllocationResult = {
  readonly results?: readonly DeviceRequestAllocationResult[];
  readonly config?: readonly DeviceAllocationConfiguration[];
};

export type DeviceAttribute = {
  readonly int?: number | bigint;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
  readonly ints?: readonly (number | bigint)[];
  readonly bools?: readonly boolean[];
  readonly strings?: readonly string[];
  readonly versions?: readonly string[];
};

export type DeviceCapacity = {
  readonly value?: string;
  readonly requestPolicy?: CapacityRequestPolicy;
};

export type DeviceClaim = {
  readonly requests?: readonly DeviceRequest[] | null;
  readonly constraints?: readonly DeviceConstraint[];
  readonly config?: readonly DeviceClaimConfiguration[];
};

export type DeviceClaimConfiguration = {
  readonly requests?: readonly string[];
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type DeviceClass = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: DeviceClassSpec;
};

export type DeviceClassConfiguration = {
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type DeviceClassList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<DeviceClass>[] | null;
};

export type DeviceClassSpec = {
  readonly selectors?: readonly DeviceSelector[];
  readonly config?: readonly DeviceClassConfiguration[];
  readonly extendedResourceName?: string;
};

export type DeviceConfiguration = {
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type DeviceConstraint = {
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
};

export type DeviceCounterConsumption = {
  readonly counterSet?: string;
  readonly counters?: { readonly [key: string]: Counter };
  readonly compatibilityGroups?: readonly string[];
};

export type DeviceDerivedAttribute = {
  readonly name?: string;
  readonly expression?: string;
};

export type DeviceRequest = {
  readonly name?: string;
  readonly exactly?: ExactDeviceRequest;
  readonly firstAvailable?: readonly DeviceSubRequest[];
};

export type DeviceRequestAllocationResult = {
  readonly request?: string;
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly shareID?: string;
  readonly consumedCapacity?: { readonly [key: string]: string };
  readonly skipNodeOperations?: readonly string[];
};

export type DeviceSelector = {
  readonly cel?: CELDeviceSelector;
};

export type DeviceSubRequest = {
  readonly name?: string;
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number | bigint;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
  readonly derivedAttributes?: readonly DeviceDerivedAttribute[];
};

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

export type DeviceToleration = {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number | bigint;
};

export type ExactDeviceRequest = {
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number | bigint;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
  readonly derivedAttributes?: readonly DeviceDerivedAttribute[];
};

export type NetworkDeviceData = {
  readonly interfaceName?: string;
  readonly ips?: readonly string[];
  readonly hardwareAddress?: string;
};

export type NodeAllocatableMapping = {
  readonly capacityKey?: string;
  readonly capacityMultiplier?: string;
  readonly deviceMultiplier?: string;
};

export type NodeAllocatableOverhead = {
  readonly perPod?: string;
  readonly perContainer?: string;
};

export type NodeAllocatableResource = {
  readonly mapping?: NodeAllocatableMapping;
  readonly overhead?: NodeAllocatableOverhead;
};

export type OpaqueDeviceConfiguration = {
  readonly driver?: string;
  readonly parameters?: JsonValue | null;
};

export type ResourceClaim = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceClaimSpec;
  readonly status?: ResourceClaimStatus;
};

export type ResourceClaimConsumerReference = {
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly uid?: string;
};

export type ResourceClaimList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ResourceClaim>[] | null;
};

export type ResourceClaimSpec = {
  readonly devices?: DeviceClaim;
};

export type ResourceClaimStatus = {
  readonly allocation?: AllocationResult;
  readonly reservedFor?: readonly ResourceClaimConsumerReference[];
  readonly devices?: readonly AllocatedDeviceStatus[];
};

export type ResourceClaimTemplate = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceClaimTemplateSpec;
};

export type ResourceClaimTemplateList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ResourceClaimTemplate>[] | null;
};

export type ResourceClaimTemplateSpec = {
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceClaimSpec;
};

export type ResourcePool = {
  readonly name?: string;
  readonly generation?: number | bigint;
  readonly resourceSliceCount?: number | bigint;
};

export type ResourceSlice = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceSliceSpec;
};

export type ResourceSliceList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ResourceSlice>[] | null;
};

export type ResourceSliceSpec = {
  readonly driver?: string;
  readonly pool?: ResourcePool;
  readonly nodeName?: string;
  readonly nodeSelector?: coreV1.NodeSelector;
  readonly allNodes?: boolean;
  readonly devices?: readonly Device[];
  readonly perDeviceNodeSelection?: boolean;
  readonly sharedCounters?: readonly CounterSet[];
  readonly partitionTypeAttribute?: string;
  readonly skipNodeOperations?: readonly string[];
};
