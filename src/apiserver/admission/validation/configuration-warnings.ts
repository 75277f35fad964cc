import { invalidValue } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { staticSuffix } from '../configuration/manifests/manifest-plugins.ts';

const reserved = `names ending with "${staticSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`;

const isReserved = (object: KubernetesObject): boolean => metadataOf(object).name?.endsWith(staticSuffix) === true;

/**
 * Warns about names reserved for manifest files. Follows kubernetes
 * pkg/apis/admissionregistration/validation/static_suffix.go (rule CFG-66).
 */
export const configurationWarnings = (object: KubernetesObject): readonly string[] =>
  isReserved(object) ? [`metadata.name: ${reserved}`] : [];

/** While manifest files are enabled such an object cannot be created (rule CFG-65). */
export const reservedNameErrors = (object: KubernetesObject): readonly FieldError[] =>
  isReserved(object) ? [invalidValue('metadata.name', metadataOf(object).name ?? '', reserved)] : [];
