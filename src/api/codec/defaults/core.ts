import { mapFields, type ObjectMeta, type StringMap } from '../../../machinery/meta/object.ts';
import { encodeBytes } from '../../../machinery/go/base64-bytes.ts';
import { asList, asObject, asString, hasEntries, withDefaultEntries } from '../../../machinery/json/json.ts';
import {
  always,
  type Defaulter,
  defaultEach,
  inside,
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
  metadata: inside(nameLabel),
  status: always(structDefaults<core.NamespaceStatus>({ phase: 'Active' })),
});

/**
 * `stringData` overwrites `data`. Follows kubernetes pkg/apis/core/v1/conversion.go Convert_v1_Secret_To_core_Secret.
 */
export const secret = structDefaults<core.Secret>({
  data: (value, { stringData }) => (hasEntries(stringData) ? merged(asObject(value), stringData) : value),
  stringData: () => undefined,
  type: 'Opaque',
});

const encoder = new TextEncoder();

function merged(data: StringMap, stringData: StringMap): StringMap {
  const added = Object.keys(stringData).filter((key) => !Object.hasOwn(data, key));
  return mapFields([...Object.keys(data), ...added], (key) =>
    Object.hasOwn(stringData, key) ? encodeBytes(encoder.encode(asString(stringData[key]))) : data[key],
  );
}

const resourceQuotaLists = structDefaults<core.ResourceQuotaStatus>({
  hard: inside(defaultResourceList),
  used: inside(defaultResourceList),
});

/** Follows kubernetes pkg/apis/core/v1/zz_generated.defaults.go SetObjectDefaults_ResourceQuota. */
export const resourceQuota = structDefaults<core.ResourceQuota>({
  spec: inside(resourceQuotaLists),
  status: inside(resourceQuotaLists),
});

/** default falls back to max, defaultRequest to default and then to min. */
const limitRangeItem: Defaulter<core.LimitRangeItem> = (item) => {
  const rounded = roundedItem(item);
  return rounded.type === 'Container' ? containerLimits(rounded) : rounded;
};

const roundedItem = structDefaults<core.LimitRangeItem>({
  max: inside(defaultResourceList),
  min: inside(defaultResourceList),
  default: inside(defaultResourceList),
  defaultRequest: inside(defaultResourceList),
  maxLimitRequestRatio: inside(defaultResourceList),
});

const containerLimits: Defaulter<core.LimitRangeItem> = (item) => {
  const limits = withDefaultEntries(item.default ?? {}, item.max ?? {});
  const defaultRequests = withDefaultEntries(item.defaultRequest ?? {}, limits);
  const requests = withDefaultEntries(defaultRequests, item.min ?? {});
  const rules = structDefaults<core.LimitRangeItem>({
    default: (value) => filled(value, limits),
    defaultRequest: (value) => filled(value, requests),
  });
  return rules(item);
};

const filled = (value: ResourceList | undefined, map: ResourceList): ResourceList | undefined =>
  hasEntries(map) ? map : value;

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem. */
export const limitRange = structDefaults<core.LimitRange>({
  spec: inside(structDefaults<core.LimitRangeSpec>({ limits: defaultEach(limitRangeItem) })),
});

/** `podCIDR` takes precedence over `podCIDRs`. */
const nodeSpec = structDefaults<core.NodeSpec>({
  podCIDR: (value, { podCIDRs }) => value ?? asList(podCIDRs)[0],
  podCIDRs: (value, { podCIDR }) => (podCIDR === undefined || asList(value)[0] === podCIDR ? value : [podCIDR]),
});

const nodeStatus = structDefaults<core.NodeStatus>({
  capacity: inside(defaultResourceList),
  allocatable: (value, { capacity }) => inside(defaultResourceList)(value ?? capacity),
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_NodeStatus and pkg/apis/core/v1/conversion.go. */
export const node = structDefaults<core.Node>({ spec: inside(nodeSpec), status: inside(nodeStatus) });
