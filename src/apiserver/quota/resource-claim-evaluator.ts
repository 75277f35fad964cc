import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { asList, asString, type JsonValue } from '../../machinery/json/json.ts';
import type { Evaluator } from './evaluator.ts';
import { count, type Usage } from './usage.ts';
import type {
  DeviceClass,
  DeviceRequest,
  DeviceSubRequest,
  ResourceClaim,
} from '../../api/types/generated/resource-v1.ts';

const countedAs = 'count/resourceclaims.resource.k8s.io';
const ofClass = '.deviceclass.resource.k8s.io/devices';
/** The maximum of a claim, for a request of all devices. */
const maxDevices = 32;

/** A device class as an extended resource. */
export const deviceClassPrefix = 'deviceclass.resource.kubernetes.io/';
const implicit = `requests.${deviceClassPrefix}`;

export const createResourceClaimEvaluator = (cluster: ClusterView): Evaluator => ({
  handles: ({ operation, subresource }) => (operation === 'CREATE' || operation === 'UPDATE') && subresource === '',
  matchingNames: (names) =>
    names.filter((name) => name === countedAs || name.endsWith(ofClass) || isExtended(name, cluster)),
  usage: (claim) => usage(claim, cluster),
});

function isExtended(name: string, cluster: ClusterView): boolean {
  if (!name.startsWith('requests.')) return false;
  if (name.startsWith(implicit)) return extendedResourceOf(name.slice(implicit.length), cluster) !== '';
  return cluster.list(deviceClasses).some((one) => `requests.${extendedResourceIn(one)}` === name);
}

const deviceClasses = { group: 'resource.k8s.io', resource: 'deviceclasses' };

const extendedResourceIn = (deviceClass: DeviceClass | undefined): string =>
  asString(deviceClass?.spec?.extendedResourceName);

const extendedResourceOf = (name: string, cluster: ClusterView): string =>
  extendedResourceIn(cluster.get(deviceClasses, '', name));

function usage(claim: ResourceClaim, cluster: ClusterView): Usage {
  const devices = new Map<string, number>();
  for (const request of asList(claim.spec?.devices?.requests)) {
    for (const [name, amount] of devicesOf(request)) devices.set(name, (devices.get(name) ?? 0) + amount);
  }
  const byClass = [...devices].flatMap(([name, amount]) =>
    namesOf(name, amount, cluster).map((one) => [one, count(amount)] as const),
  );
  return new Map([[countedAs, count(1)], ...byClass]);
}

/** Without devices no extended resource counts. */
function namesOf(name: string, amount: number, cluster: ClusterView): readonly string[] {
  if (amount === 0 || name === '') return [name + ofClass];
  const extended = extendedResourceOf(name, cluster);
  return [name + ofClass, implicit + name, ...(extended === '' ? [] : [`requests.${extended}`])];
}

/** The largest of the alternatives counts. */
function devicesOf({ exactly, firstAvailable }: DeviceRequest): ReadonlyMap<string, number> {
  const wanted: readonly DeviceSubRequest[] = exactly === undefined ? asList(firstAvailable) : [exactly];
  const max = new Map<string, number>();
  for (const { deviceClassName, allocationMode, count: amount } of wanted) {
    const name = asString(deviceClassName);
    max.set(name, Math.max(max.get(name) ?? 0, amountOf(allocationMode, amount)));
  }
  return max;
}

function amountOf(mode: JsonValue | undefined, amount: JsonValue | undefined): number {
  if (mode === 'All') return maxDevices;
  return mode === 'ExactCount' && typeof amount === 'number' ? amount : 0;
}
