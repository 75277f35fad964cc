import type { ObjectMeta, StringMap } from '../../../machinery/meta/object.ts';
import { hasEntries } from '../../../machinery/json/map-entries.ts';
import type { PodTemplateSpec } from '../../types/generated/core-v1.ts';

export function templateLabels(template: PodTemplateSpec | null | undefined): StringMap | undefined {
  const labels = template?.metadata?.labels;
  return hasEntries(labels) ? labels : undefined;
}

type Owner = {
  readonly metadata?: ObjectMeta;
  readonly spec?: { readonly template?: PodTemplateSpec | null };
};

/**
 * Copies the template's labels to an object without any. Follows kubernetes pkg/apis/core/v1/defaults.go
 * SetDefaults_ReplicationController.
 */
export function labelledFromTemplate<T extends Owner>(owner: T): T {
  const labels = owner.spec?.template?.metadata?.labels;
  if ((labels ?? undefined) === undefined || hasEntries(owner.metadata?.labels)) return owner;
  return { ...owner, metadata: { ...owner.metadata, labels } };
}
