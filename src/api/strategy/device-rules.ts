import { asList, asObject, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { withField } from './with-field.ts';

/** A taint of a device has a time from the beginning. Follows kubernetes pkg/apis/resource/v1/defaults.go SetDefaults_DeviceTaint. */
export function withTaintTimes(slice: KubernetesObject, now: number): KubernetesObject {
  const spec = asObject(slice['spec']);
  const devices = asList(spec['devices']);
  if (!devices.some((device) => asList(asObject(device)['taints']).some(isTimeless))) return slice;
  const timed = (taint: JsonValue): JsonValue =>
    isTimeless(taint) ? { ...asObject(taint), timeAdded: formatTime(now) } : taint;
  const changed = devices.map((device): JsonValue => {
    const { taints } = asObject(device);
    return taints === undefined ? device : { ...asObject(device), taints: asList(taints).map(timed) };
  });
  return withField(slice, 'spec', { ...spec, devices: changed });
}

const isTimeless = (taint: JsonValue): boolean => isJsonObject(taint) && (taint['timeAdded'] ?? null) === null;

/**
 * A device that the claim has given back has no status any more. Follows kubernetes pkg/registry/resource/resourceclaim/
 * strategy.go dropDeallocatedStatusDevices.
 */
export function withoutDeallocated(claim: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const status = asObject(claim['status']);
  const devices = asList(status['devices']);
  if (devices.length === 0) return claim;
  const held = allocated(claim);
  const gone = [...allocated(old)].filter((id) => !held.has(id));
  const kept = devices.filter((device) => !gone.includes(idOf(device)));
  if (kept.length === devices.length) return claim;
  const { devices: _devices, ...rest } = status;
  return withField(claim, 'status', kept.length === 0 ? rest : { ...status, devices: kept });
}

function allocated({ status }: KubernetesObject): ReadonlySet<string> {
  const allocation: JsonObject = asObject(asObject(status)['allocation']);
  return new Set(asList(asObject(allocation['devices'])['results']).map(idOf));
}

function idOf(device: JsonValue): string {
  const { driver, pool, device: name, shareID } = asObject(device);
  return JSON.stringify([driver ?? '', pool ?? '', name ?? '', shareID ?? '']);
}
