import { type JsonObject, type JsonValue, asList, asObject, asString } from '../../../machinery/json/json.ts';
import { forbiddenField, invalidValue, notSupported } from '../../../machinery/meta/field-error.ts';
import { ownValue } from '../../../machinery/meta/object.ts';
import { isPodLevel, aggregateContainers } from '../../codec/defaults/pod-level-resources.ts';
import type { PodSpec } from '../../types/generated/core-v1.ts';
import { type FieldErrors, each, eachKey, errorIf } from '../field-rules.ts';
import { parseAmount } from '../meta/quantity-amount.ts';
import { isHugePages, validateResourceName, validateResourceRequirements } from './resources.ts';

/** Pod-level resources. Follows kubernetes pkg/apis/core/validation validatePodResources. */
export function validatePodResources(spec: PodSpec, path: string): FieldErrors {
  if (spec.resources === undefined) return [];
  if (asObject(spec.os).name === 'windows') return [forbiddenField(path, 'may not be set for a windows pod')];
  const resources = asObject(spec.resources);
  const limits = asObject(resources.limits);
  return [
    ...errorIf(resources.claims !== undefined, () =>
      forbiddenField(`${path}.claims`, 'claims may not be set for Resources at pod-level'),
    ),
    ...validateResourceRequirements(resources, path, [], validatePodResourceName),
    ...validatePodResourceConsistency(spec, 'requests', path),
    ...validatePodResourceConsistency(spec, 'limits', path),
    ...each(spec.containers, `${path}.containers`, (container, at) => {
      const own = asObject(asObject(container.resources).limits);
      return eachKey(own, (name) =>
        errorIf(parseAmount(own[name]) > parseAmount(ownValue(limits, name) ?? own[name]), () =>
          invalidValue(
            `${at}[${name}].limits`,
            asString(own[name]),
            `must be less than or equal to pod limits of ${asString(limits[name])}`,
          ),
        ),
      );
    }),
  ];
}

/** Container limits are added up for huge pages only. Follows validatePodResourceConsistency. */
function validatePodResourceConsistency(spec: PodSpec, field: 'limits' | 'requests', path: string): FieldErrors {
  const given = asObject(asObject(spec.resources)[field]);
  const totals = aggregateContainers(spec, field);
  return eachKey(totals, (name) => {
    const total = totals[name];
    const limit = ownValue(given, name);
    if (limit === undefined || (field === 'limits' && !isHugePages(name))) return [];
    return errorIf(parseAmount(total) > parseAmount(limit), () =>
      invalidValue(
        `${path}.${field}[${name}]`,
        asString(limit),
        `must be greater than or equal to aggregate container ${field} of ${asString(total)}`,
      ),
    );
  });
}

const supported = ['cpu', 'hugepages-', 'memory'];

function validatePodResourceName(name: string, field: string): FieldErrors {
  const errors = validateResourceName(name, field);
  if (errors.length > 0) return errors;
  return errorIf(name !== 'cpu' && name !== 'memory' && !isHugePages(name), () => notSupported(field, name, supported));
}

type Totals = Map<string, bigint>;

const qosResources = ['cpu', 'memory'] as const;

type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/**
 * Uses pod-level resources if any is set, else containers and init containers. Follows kubernetes
 * pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS.
 */
export const computeQosClass = (spec: JsonObject): QosClass =>
  computeQosClassOfItems(
    hasPodLevelResources(spec) ? [spec] : [...asList(spec['containers']), ...asList(spec['initContainers'])],
  );

/** Before PodLevelResourcesFixKubeletQOSClass: empty pod-level resources count. */
export const computeQosClassBeforeFix = (spec: JsonObject): QosClass =>
  spec['resources'] === undefined ? computeQosClass(spec) : computeQosClassOfItems([spec]);

/** Follows component-helpers resource/helpers.go IsPodLevelResourcesSet. */
function hasPodLevelResources(spec: JsonObject): boolean {
  const { requests, limits } = asObject(spec['resources']);
  return [requests, limits].some((list) => Object.keys(asObject(list)).some(isPodLevel));
}

function computeQosClassOfItems(items: readonly JsonValue[]): QosClass {
  const requests: Totals = new Map();
  const limits: Totals = new Map();
  let allLimited = true;
  for (const item of items) {
    const resources = asObject(asObject(item)['resources']);
    add(requests, resources['requests']);
    allLimited = add(limits, resources['limits']) === qosResources.length && allLimited;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const equal = requests.size === limits.size && [...limits].every(([name, limit]) => requests.get(name) === limit);
  return allLimited && equal ? 'Guaranteed' : 'Burstable';
}

/** Returns the number of nonzero resources. */
function add(totals: Totals, list: JsonValue | undefined): number {
  let added = 0;
  for (const name of qosResources) {
    const amount = parseAmount(asObject(list)[name]);
    if (amount <= 0n) continue;
    totals.set(name, (totals.get(name) ?? 0n) + amount);
    added += 1;
  }
  return added;
}
