import { asList, asObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { amountOf } from '../meta/quantity-amount.ts';

type Totals = Map<string, bigint>;

const qosResources = ['cpu', 'memory'] as const;

/**
 * Uses pod-level resources if set, else containers and init containers. Follows kubernetes
 * pkg/apis/core/v1/helper/qos/qos.go.
 */
export function qosClassOf(spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const whole = spec['resources'];
  const items = whole === undefined ? [...asList(spec['containers']), ...asList(spec['initContainers'])] : [spec];
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
    const amount = amountOf(asObject(list)[name]);
    if (amount <= 0n) continue;
    totals.set(name, (totals.get(name) ?? 0n) + amount);
    added += 1;
  }
  return added;
}
