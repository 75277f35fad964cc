import { asList, asObject, asString, valueAt } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import type { Evaluator } from './evaluator.ts';
import { count } from './usage.ts';
import type { Usage } from './usage.ts';

const countedAs = 'count/resourceclaims.resource.k8s.io';
const ofClass = '.deviceclass.resource.k8s.io/devices';
/** A request for all devices counts as the most that a claim can be given. */
const mostDevices = 32;

/** Claims of devices, by device class. Follows kubernetes pkg/quota/v1/evaluator/core/resource_claims.go. */
export const resourceClaimEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => (operation === 'CREATE' || operation === 'UPDATE') && subresource === '',
  matchingNames: (asked) => asked.filter((name) => name === countedAs || name.endsWith(ofClass)),
  usage,
};

function usage(claim: KubernetesObject): Usage {
  const devices = new Map<string, number>();
  for (const request of asList(valueAt(claim, 'spec', 'devices', 'requests')).map(asObject)) {
    for (const [name, amount] of devicesOf(request)) devices.set(name, (devices.get(name) ?? 0) + amount);
  }
  const byClass = [...devices].map(([name, amount]) => [name + ofClass, count(amount)] as const);
  return new Map([[countedAs, count(1)], ...byClass]);
}

/** Of alternatives, the one that needs most of a class counts. */
function devicesOf(request: JsonObject): ReadonlyMap<string, number> {
  const exact = request['exactly'];
  const wanted = exact === undefined ? asList(request['firstAvailable']) : [exact];
  const most = new Map<string, number>();
  for (const one of wanted.map(asObject)) {
    const name = asString(one['deviceClassName']);
    most.set(name, Math.max(most.get(name) ?? 0, amountOf(one['allocationMode'], one['count'])));
  }
  return most;
}

function amountOf(mode: JsonValue | undefined, amount: JsonValue | undefined): number {
  if (mode === 'All') return mostDevices;
  return mode === 'ExactCount' && typeof amount === 'number' ? amount : 0;
}
