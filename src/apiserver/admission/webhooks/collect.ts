import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { type AdmissionWebhook, webhooksOf } from './configuration.ts';

const none: readonly AdmissionWebhook[] = Object.freeze([]);

/**
 * In calling order: configurations by name, then their own order (rules ORD-1, ORD-2). Follows apiserver
 * pkg/admission/configuration/mutating_webhook_manager.go.
 */
export function collectWebhooks(configurations: readonly KubernetesObject[]): readonly AdmissionWebhook[] {
  if (configurations.length === 0) return none;
  return configurations.toSorted(byName).flatMap(webhooksOf);
}

function byName(a: KubernetesObject, b: KubernetesObject): number {
  const [nameA, nameB] = [metadataOf(a).name ?? '', metadataOf(b).name ?? ''];
  return Number(nameA > nameB) - Number(nameA < nameB);
}
