import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { forbidden, type Status } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from './attributes.ts';

/** Follows apiserver pkg/admission/errors.go (rule ENV-3). */
export const newForbidden = (request: AdmissionAttributes, message: string): Status =>
  forbidden(request.resource, admissionName(request), message);

export const admissionName = ({ name, object }: AdmissionAttributes): string => name || nameOf(object);

function nameOf(object: KubernetesObject | null): string {
  if (object !== null && object.metadata === undefined) return 'Unknown/errorGettingName';
  const { name, generateName } = object === null ? {} : metadataOf(object);
  return name || generateName || 'Unknown';
}
