import { mapFields, type ObjectMeta, type StringMap } from '../../../machinery/meta/object.ts';
import { encodeBytes } from '../../../machinery/go/base64-bytes.ts';
import { asList, asObject, asString, hasEntries, withDefaultEntries } from '../../../machinery/json/json.ts';
import {
  always,
  type Defaulter,
  defaultEach,
  ifPresent,
  defaultResourceList,
  type ResourceList,
  structDefaults,
} from './struct-defaults.ts';
import type * as core from '../../types/generated/core-v1.ts';

const nameLabel = structDefaults<ObjectMeta>({
  labels: (value, { name }) => {
    const labels = asObject(value);
    return name === undefined || labels[nameLabelKey] === name ? value : { ...labels, [nameLabelKey]: name };
  },
});
const nameLabelKey = 'kubernetes.io/metadata.name';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Namespace. */
export const namespace = structDefaults<core.Namespace>({
  metadata: ifPresent(nameLabel),
  status: always(structDefaults<core.NamespaceStatus>({ phase: 'Active' })),
});

/**
 * `stringData` overwrites `data`. Follows kubernetes pkg/apis/core/v1/conversion.go Convert_v1_Secret_To_core_Secret.
 */
export const secret = structDefaults<core.Secret>({
  data: (value, { stringData }) => (hasEntries(stringData) ? mergeStringData(asObject(value), stringData) : value),
  stringData: () => undefined,
  type: 'Opaque',
});

const encoder = new TextEncoder();

function mergeStringData(data: StringMap, stringData: StringMap): StringMap {
  const added = Object.keys(stringData).filter((key) => !Object.hasOwn(data, key));
  return mapFields([...Object.keys(data), ...added], (key) =>
    Object.hasOwn(stringData, key) ? encodeBytes(encoder.encode(asString(stringData[key]))) : data[key],
  );
}

const resourceQuotaLists = structDefaults<core.ResourceQuotaStatus>({
  hard: ifPresent(defaultResourceList),
  used: ifPresent(defaultResourceList),
});

/** Follows kubernetes pkg/apis/core/v1/zz_generated.defaults.go SetObjectDefaults_ResourceQuota. */
export const resourceQuota = structDefaults<core.ResourceQuota>({
  spec: ifPresent(resourceQuotaLists),
  status: ifPresent(resourceQuotaLists),
});

/** default falls back to max, defaultRequest to default and then to min. */
const limitRangeItem: Defaulter<core.LimitRangeItem> = (item) => {
  const rounded = roundItem(item);
  return rounded.type === 'Container' ? containerLimits(rounded) : rounded;
};

const roundItem = structDefaults<core.LimitRangeItem>({
  max: ifPresent(defaultResourceList),
  min: ifPresent(defaultResourceList),
  default: ifPresent(defaultResourceList),
  defaultRequest: ifPresent(defaultResourceList),
  maxLimitRequestRatio: ifPresent(defaultResourceList),
});

const containerLimits: Defaulter<core.LimitRangeItem> = (item) => {
  const limits = withDefaultEntries(item.default ?? {}, item.max ?? {});
  const defaultRequests = withDefaultEntries(item.defaultRequest ?? {}, limits);
  const requests = withDefaultEntries(defaultRequests, item.min ?? {});
  const rules = structDefaults<core.LimitRangeItem>({
    default: (value) => fillEmpty(value, limits),
    defaultRequest: (value) => fillEmpty(value, requests),
  });
  return rules(item);
};

const fillEmpty = (value: ResourceList | undefined, map: ResourceList): ResourceList | undefined =>
  hasEntries(map) ? map : value;

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem. */
export const limitRange = structDefaults<core.LimitRange>({
  spec: ifPresent(structDefaults<core.LimitRangeSpec>({ limits: defaultEach(limitRangeItem) })),
});

/** `podCIDR` takes precedence over `podCIDRs`. */
const nodeSpec = structDefaults<core.NodeSpec>({
  podCIDR: (value, { podCIDRs }) => value ?? asList(podCIDRs)[0],
  podCIDRs: (value, { podCIDR }) => (podCIDR === undefined || asList(value)[0] === podCIDR ? value : [podCIDR]),
});

const nodeStatus = structDefaults<core.NodeStatus>({
  capacity: ifPresent(defaultResourceList),
  allocatable: (value, { capacity }) => ifPresent(defaultResourceList)(value ?? capacity),
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_NodeStatus and pkg/apis/core/v1/conversion.go. */
export const node = structDefaults<core.Node>({ spec: ifPresent(nodeSpec), status: ifPresent(nodeStatus) });
