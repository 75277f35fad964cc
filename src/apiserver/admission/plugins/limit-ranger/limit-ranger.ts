import { aggregateText } from '../../../../machinery/errors.ts';
import { aggregateContainers } from '../../../../api/codec/defaults/pod-level-resources.ts';
import type {
  Container,
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  Pod,
  PodSpec,
} from '../../../../api/types/generated/core-v1.ts';
import {
  asList,
  asObject,
  asString,
  hasEntries,
  type JsonObject,
  type JsonValue,
  withDefaultEntries,
} from '../../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../../machinery/meta/object.ts';
import { parseQuantity, quantityMilliValue } from '../../../../machinery/meta/quantity.ts';
import { ok } from '../../../../machinery/meta/result.ts';
import type { AdmissionAttributes } from '../../chain/attributes.ts';
import { newForbidden, byObject, refuseBecauseOf } from '../../chain/refusal.ts';
import type { SyncPlugin, PluginPorts } from '../../chain/plugin.ts';
import { type ObjectRequest, onlyFor, pass, podResource } from '../handled-resource.ts';

/** Follows kubernetes plugin/pkg/admission/limitranger/admission.go PodValidateLimitFunc. */
export function podFaults(limit: LimitRangeItem, spec: PodSpec): readonly string[] {
  if (limit.type === 'Pod')
    return faultsOf(limit, { requests: totalsOf(spec, 'requests'), limits: totalsOf(spec, 'limits') });
  if (limit.type !== 'Container') return [];
  return [...asList(spec.containers), ...asList(spec.initContainers)].flatMap((container) => {
    const { requests, limits } = asObject(container.resources);
    return faultsOf(limit, { requests: asObject(requests), limits: asObject(limits) });
  });
}

/** Pod-level resources override the sum of the containers. */
function totalsOf(spec: PodSpec, field: 'requests' | 'limits'): JsonObject {
  const { cpu, memory } = asObject(asObject(spec.resources)[field]);
  return {
    ...aggregateContainers(spec, field),
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
  };
}

export function claimFaults(limit: LimitRangeItem, spec: PersistentVolumeClaimSpec): readonly string[] {
  if (limit.type !== 'PersistentVolumeClaim') return [];
  const requests = asObject(asObject(spec.resources).requests);
  return [
    ...eachConstraint(limit, 'min', (constraint) => minFault(constraint, { requests, limits: {} })),
    ...eachConstraint(limit, 'max', (constraint) => maxRequestFault(constraint, requests)),
  ];
}

interface Resources {
  readonly requests: JsonObject;
  readonly limits: JsonObject;
}

interface Constraint {
  readonly type: string;
  readonly name: string;
  readonly bound: string;
}

const faultsOf = (limit: LimitRangeItem, resources: Resources): readonly string[] => [
  ...eachConstraint(limit, 'min', (constraint) => minFault(constraint, resources)),
  ...eachConstraint(limit, 'max', (constraint) => maxFault(constraint, resources)),
  ...eachConstraint(limit, 'maxLimitRequestRatio', (constraint) => ratioFault(constraint, resources)),
];

const eachConstraint = (
  limit: LimitRangeItem,
  field: 'min' | 'max' | 'maxLimitRequestRatio',
  faultOf: (constraint: Constraint) => string | undefined,
): readonly string[] =>
  Object.keys(asObject(limit[field])).flatMap(
    (name) => faultOf({ type: asString(limit.type), name, bound: asString(limit[field]?.[name]) }) ?? [],
  );

function minFault({ type, name, bound }: Constraint, { requests, limits }: Resources): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${bound}`;
  if (requests[name] === undefined) return `${rule}.  No request is specified`;
  if (parseMilli(requests[name]) < parseMilli(bound)) return `${rule}, but request is ${asString(requests[name])}`;
  if (limits[name] !== undefined && parseMilli(limits[name]) < parseMilli(bound)) {
    return `${rule}, but limit is ${asString(limits[name])}`;
  }
  return undefined;
}

function maxFault({ type, name, bound }: Constraint, { requests, limits }: Resources): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  if (limits[name] === undefined) return `${rule}.  No limit is specified`;
  if (parseMilli(limits[name]) > parseMilli(bound)) return `${rule}, but limit is ${asString(limits[name])}`;
  if (requests[name] !== undefined && parseMilli(requests[name]) > parseMilli(bound)) {
    return `${rule}, but request is ${asString(requests[name])}`;
  }
  return undefined;
}

function maxRequestFault({ type, name, bound }: Constraint, requests: JsonObject): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  if (requests[name] === undefined) return `${rule}.  No request is specified`;
  return parseMilli(requests[name]) > parseMilli(bound)
    ? `${rule}, but request is ${asString(requests[name])}`
    : undefined;
}

function ratioFault({ type, name, bound }: Constraint, { requests, limits }: Resources): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${bound}`;
  const request = parseMilli(requests[name]);
  const limit = parseMilli(limits[name]);
  if (request === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limit === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(limit) / Number(request);
  return ratio * 1000 > Number(parseMilli(bound)) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** In thousandths; 0 when absent. */
function parseMilli(quantity: JsonValue | undefined): bigint {
  const reading = parseQuantity(asString(quantity));
  return reading.outcome === 'parsed' ? quantityMilliValue(reading.quantity) : 0n;
}

interface Defaulted {
  readonly containers: readonly Container[] | null | undefined;
  /** `cpu, memory request for container c`. */
  readonly notes: readonly string[];
}

/**
 * The same list when nothing was missing. Follows kubernetes plugin/pkg/admission/limitranger/admission.go
 * mergeContainerResources.
 */
function defaultContainers(
  containers: readonly Container[] | null | undefined,
  what: string,
  limits: readonly LimitRangeItem[],
): Defaulted {
  const ofContainers = limits.filter(({ type }) => type === 'Container');
  const defaults: Defaults = {
    requests: sortNames(mergeLists(ofContainers.map(({ defaultRequest }) => asObject(defaultRequest)))),
    limits: sortNames(mergeLists(ofContainers.map((limit) => asObject(limit.default)))),
  };
  const defaulted = asList(containers).map((container) => applyContainerDefaults(asObject(container), what, defaults));
  const notes = defaulted.flatMap((container) => container.notes);
  return { containers: notes.length === 0 ? containers : defaulted.map(({ container }) => container), notes };
}

const mergeLists = (lists: readonly JsonObject[]): JsonObject =>
  lists.reduce<JsonObject>((all, list) => ({ ...all, ...list }), {});

/** Computed once: a Pod may have ten thousand containers. */
interface Defaults {
  readonly requests: ListInOrder;
  readonly limits: ListInOrder;
}

interface ListInOrder {
  readonly list: JsonObject;
  readonly names: readonly string[];
}

const sortNames = (list: JsonObject): ListInOrder => ({ list, names: Object.keys(list).toSorted() });

function applyContainerDefaults(
  container: Container,
  what: string,
  defaults: Defaults,
): { readonly container: Container; readonly notes: readonly string[] } {
  const resources = asObject(container.resources);
  const requests = asObject(resources.requests);
  const limits = asObject(resources.limits);
  const subject = `${what} ${asString(container.name)}`;
  const notes = [
    ...describeMissing(missingIn(requests, defaults.requests), `request for ${subject}`),
    ...describeMissing(missingIn(limits, defaults.limits), `limit for ${subject}`),
  ];
  if (notes.length === 0) return { container, notes };
  return {
    container: {
      ...container,
      resources: {
        ...resources,
        ...fillDefaults('requests', requests, defaults),
        ...fillDefaults('limits', limits, defaults),
      },
    },
    notes,
  };
}

/** Absent when empty. */
function fillDefaults(what: 'requests' | 'limits', given: JsonObject, defaults: Defaults): JsonObject | undefined {
  const list = withDefaultEntries(given, defaults[what].list);
  return hasEntries(list) ? { [what]: list } : undefined;
}

const missingIn = (list: JsonObject, { names }: ListInOrder): readonly string[] =>
  names.filter((name) => !Object.hasOwn(list, name));

const describeMissing = (names: readonly string[], subject: string): readonly string[] =>
  names.length === 0 ? [] : [`${names.join(', ')} ${subject}`];

/**
 * Enforces the LimitRanges of a namespace and sets their defaults. Follows kubernetes
 * plugin/pkg/admission/limitranger/admission.go (rule PLG-11).
 */
export const limitRanger: SyncPlugin = {
  name: 'LimitRanger',
  operations: ['CREATE', 'UPDATE'],
  mutate: onlyFor([podResource], (request, ports) => {
    if (!isLimited(request) || request.resource.resource !== 'pods') return pass(request);
    const object = limitRangesOf(request, ports).map(limitsIn).reduce(withDefaults, request.object);
    return ok({ object });
  }),
  validate: onlyFor([podResource, { group: '', resource: 'persistentvolumeclaims' }], (request, ports) => {
    if (!isLimited(request)) return pass(request);
    const faultsOf = faultsIn(request);
    // The first violated LimitRange decides, with all its errors.
    for (const limitRange of limitRangesOf(request, ports)) {
      const faults = limitsIn(limitRange).flatMap(faultsOf);
      if (faults.length === 0) continue;
      const refusal = newForbidden(request, aggregateText(faults));
      return refuseBecauseOf(request, refusal, byObject(limitRange, 'spec.limits'));
    }
    return pass(request);
  }),
};

function faultsIn({ resource, object }: ObjectRequest): (limit: LimitRangeItem) => readonly string[] {
  const { spec: pod }: Pod = object;
  const { spec: claim }: PersistentVolumeClaim = object;
  const isPod = resource.resource === 'pods';
  return (limit) => (isPod ? podFaults(limit, asObject(pod)) : claimFaults(limit, asObject(claim)));
}

function isLimited(request: AdmissionAttributes): request is ObjectRequest {
  const { kind, operation, subresource, object, oldObject } = request;
  if (object === null || kind.group !== '') return false;
  // Updates of an object being deleted stay possible.
  if (oldObject !== null && metadataOf(oldObject).deletionTimestamp !== undefined) return false;
  if (kind.kind === 'PersistentVolumeClaim') return subresource === '';
  return kind.kind === 'Pod' && (operation === 'CREATE' ? subresource === '' : subresource === 'resize');
}

const limitRangesOf = ({ namespace }: AdmissionAttributes, { cluster }: PluginPorts): readonly KubernetesObject[] =>
  cluster.list({ group: '', resource: 'limitranges' }, namespace);

const limitsIn = (limitRange: LimitRange): readonly LimitRangeItem[] => asList(asObject(limitRange.spec).limits);

const annotation = 'kubernetes.io/limit-ranger';

/** The pod with the defaults of one LimitRange, and an annotation about them. */
function withDefaults(pod: Pod, limits: readonly LimitRangeItem[]): Pod {
  const spec = asObject(pod.spec);
  const containers = defaultContainers(spec.containers, 'container', limits);
  const initContainers = defaultContainers(spec.initContainers, 'init container', limits);
  const notes = [...containers.notes, ...initContainers.notes];
  if (notes.length === 0) return pod;
  const fields = { containers: containers.containers, initContainers: initContainers.containers };
  const annotations = { ...metadataOf(pod).annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` };
  return withMetadata({ ...pod, spec: { ...spec, ...fields } }, { annotations });
}
