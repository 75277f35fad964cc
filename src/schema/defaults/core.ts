import { namesOf } from '../../apimachinery/field-names.ts';
import { forEachInTurns, onceInTurns } from '../../apimachinery/in-turns.ts';
import { encodeBytes } from '../../apimachinery/base64-bytes.ts';
import { asList, asObject, asString, setOwn } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { resourceList } from './resource-list.ts';
import { hasEntries, withMissing } from './map-entries.ts';
import { always, each, inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

/** Every named namespace carries its name as a label. */
const nameLabel = structDefaults({
  labels: (value, { name }) => {
    const labels = asObject(value);
    return name === undefined || labels[nameLabelKey] === name ? value : { ...labels, [nameLabelKey]: name };
  },
});
const nameLabelKey = 'kubernetes.io/metadata.name';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Namespace. */
export const namespace = structDefaults({
  metadata: inside(nameLabel),
  status: always(structDefaults({ phase: 'Active' })),
});

/** `stringData` overwrites `data` and is gone. Follows kubernetes pkg/apis/core/v1/conversion.go Convert_v1_Secret_To_core_Secret. */
export const secret = structDefaults({
  data: (value, { stringData }) => (hasEntries(stringData) ? { ...asObject(value), ...encoded(stringData) } : value),
  stringData: () => undefined,
  type: 'Opaque',
});

const encoder = new TextEncoder();

const encoded = (stringData: JsonObject): JsonObject =>
  forEachInTurns(namesOf(stringData), noEntries, (out, key) =>
    setOwn(out, key, encodeBytes(encoder.encode(asString(stringData[key])))),
  );

const noEntries = (): JsonObject => ({});

const resourceQuotaLists = structDefaults({ hard: inside(resourceList), used: inside(resourceList) });

/** Follows kubernetes pkg/apis/core/v1/zz_generated.defaults.go SetObjectDefaults_ResourceQuota. */
export const resourceQuota = structDefaults({
  spec: inside(resourceQuotaLists),
  status: inside(resourceQuotaLists),
});

/** Container limits: default from max, then defaultRequest from default, then from min. */
const limitRangeItem: Defaulter = (item) => {
  const rounded = roundedItem(item);
  return rounded['type'] === 'Container' ? containerLimits(rounded) : rounded;
};

const roundedItem = structDefaults({
  max: inside(resourceList),
  min: inside(resourceList),
  default: inside(resourceList),
  defaultRequest: inside(resourceList),
  maxLimitRequestRatio: inside(resourceList),
});

const containerLimits: Defaulter = (item) => {
  const limits = onceInTurns(() => withMissing(asObject(item['default']), asObject(item['max'])));
  const asked = onceInTurns(() => withMissing(asObject(item['defaultRequest']), limits));
  const requests = onceInTurns(() => withMissing(asked, asObject(item['min'])));
  const rules = structDefaults({
    default: (value) => filled(value, limits),
    defaultRequest: (value) => filled(value, requests),
  });
  return rules(item);
};

/** An empty map is not printed. */
const filled = (value: JsonObject[string], map: JsonObject): JsonObject[string] => (hasEntries(map) ? map : value);

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem. */
export const limitRange = structDefaults({
  spec: inside(structDefaults({ limits: each(limitRangeItem) })),
});

/** `podCIDRs` follows `podCIDR`, the authoritative one. */
const nodeSpec = structDefaults({
  podCIDR: (value, { podCIDRs }) => value ?? asList(podCIDRs)[0],
  podCIDRs: (value, { podCIDR }) => (podCIDR === undefined || asList(value)[0] === podCIDR ? value : [podCIDR]),
});

const nodeStatus = structDefaults({
  capacity: inside(resourceList),
  allocatable: (value, { capacity }) => inside(resourceList)(value ?? capacity, {}),
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_NodeStatus and pkg/apis/core/v1/conversion.go. */
export const node = structDefaults({ spec: inside(nodeSpec), status: inside(nodeStatus) });
