import { asObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';

/**
 * kube-apiserver stores these without the phase that it shows them with: its decoder fills it in. An object with its phase,
 * anything else as it is. Follows kubernetes pkg/apis/core/v1/defaults.go.
 */
export function withPhase(object: KubernetesObject): KubernetesObject {
  const phase = object.apiVersion === 'v1' ? firstPhase.get(object.kind) : undefined;
  if (phase === undefined) return object;
  const status = asObject(object['status']);
  return status['phase'] === undefined ? { ...object, status: { phase, ...status } } : object;
}

const firstPhase: ReadonlyMap<string, string> = new Map([
  ['Namespace', 'Active'],
  ['PersistentVolume', 'Pending'],
  ['PersistentVolumeClaim', 'Pending'],
]);
