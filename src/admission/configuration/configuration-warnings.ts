import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';

/**
 * Webhook configurations, policies and bindings, created or updated, whose name will one day belong to files.
 * Follows kubernetes pkg/apis/admissionregistration/validation/validation.go (rule CFG-66).
 */
export function configurationWarnings(object: KubernetesObject): readonly string[] {
  if (!metadataOf(object).name?.endsWith('.static.k8s.io')) return [];
  return [
    'metadata.name: names ending with ".static.k8s.io" will be reserved for static manifest-based configurations when the ManifestBasedAdmissionControlConfig feature gate is enabled',
  ];
}
