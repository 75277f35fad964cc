import { asList, asObject, asString } from '../../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../../machinery/json/json.ts';
import { parseQuantity, quantityMilliValue } from '../../../../machinery/meta/quantity.ts';
import type { LimitRangeItem, PersistentVolumeClaimSpec, PodSpec } from '../../../../api/types/generated/core-v1.ts';
import { podTotals } from '../../../../api/codec/defaults/pod-totals.ts';

/** What one LimitRange item has against a pod. Follows kubernetes plugin/pkg/admission/limitranger/admission.go PodValidateLimitFunc. */
export function podFaults(limit: LimitRangeItem, spec: PodSpec): readonly string[] {
  if (limit.type === 'Pod')
    return faultsOf(limit, { requests: totalsOf(spec, 'requests'), limits: totalsOf(spec, 'limits') });
  if (limit.type !== 'Container') return [];
  return [...asList(spec.containers), ...asList(spec.initContainers)].flatMap((container) => {
    const { requests, limits } = asObject(container.resources);
    return faultsOf(limit, { requests: asObject(requests), limits: asObject(limits) });
  });
}

/** The resources said for the whole pod count for more than the sum of its containers. */
function totalsOf(spec: PodSpec, field: 'requests' | 'limits'): JsonObject {
  const { cpu, memory } = asObject(asObject(spec.resources)[field]);
  return {
    ...podTotals(spec, field),
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
  };
}

/** The same for a claim, which has only requests. */
export function claimFaults(limit: LimitRangeItem, spec: PersistentVolumeClaimSpec): readonly string[] {
  if (limit.type !== 'PersistentVolumeClaim') return [];
  const requests = asObject(asObject(spec.resources).requests);
  return [
    ...each(limit, 'min', (constraint) => minFault(constraint, { requests, limits: {} })),
    ...each(limit, 'max', (constraint) => maxRequestFault(constraint, requests)),
  ];
}

interface Resources {
  readonly requests: JsonObject;
  readonly limits: JsonObject;
}

/** One entry of `min`, `max` or `maxLimitRequestRatio`. */
interface Constraint {
  readonly type: string;
  readonly name: string;
  readonly bound: string;
}

const faultsOf = (limit: LimitRangeItem, resources: Resources): readonly string[] => [
  ...each(limit, 'min', (constraint) => minFault(constraint, resources)),
  ...each(limit, 'max', (constraint) => maxFault(constraint, resources)),
  ...each(limit, 'maxLimitRequestRatio', (constraint) => ratioFault(constraint, resources)),
];

const each = (
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
  if (milli(requests[name]) < milli(bound)) return `${rule}, but request is ${asString(requests[name])}`;
  if (limits[name] !== undefined && milli(limits[name]) < milli(bound)) {
    return `${rule}, but limit is ${asString(limits[name])}`;
  }
  return undefined;
}

function maxFault({ type, name, bound }: Constraint, { requests, limits }: Resources): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  if (limits[name] === undefined) return `${rule}.  No limit is specified`;
  if (milli(limits[name]) > milli(bound)) return `${rule}, but limit is ${asString(limits[name])}`;
  if (requests[name] !== undefined && milli(requests[name]) > milli(bound)) {
    return `${rule}, but request is ${asString(requests[name])}`;
  }
  return undefined;
}

function maxRequestFault({ type, name, bound }: Constraint, requests: JsonObject): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  if (requests[name] === undefined) return `${rule}.  No request is specified`;
  return milli(requests[name]) > milli(bound) ? `${rule}, but request is ${asString(requests[name])}` : undefined;
}

function ratioFault({ type, name, bound }: Constraint, { requests, limits }: Resources): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${bound}`;
  const request = milli(requests[name]);
  const limit = milli(limits[name]);
  if (request === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limit === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(limit) / Number(request);
  return ratio * 1000 > Number(milli(bound)) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** The amount in thousandths; nothing is 0. */
function milli(quantity: JsonValue | undefined): bigint {
  const reading = parseQuantity(asString(quantity));
  return reading.outcome === 'parsed' ? quantityMilliValue(reading.quantity) : 0n;
}
