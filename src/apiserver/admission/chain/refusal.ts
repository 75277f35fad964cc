import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { type Status, forbidden } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from './attributes.ts';
import type { PluginAnswer, RefusalSource } from './plugin.ts';

export const refuseBecauseOf = (
  { object }: Pick<AdmissionAttributes, 'object'>,
  refusal: Status,
  source: RefusalSource,
): Result<PluginAnswer> => ok({ object, refusal, refusedBy: source });

/** Refuses with 403. */
export const deny = (request: AdmissionAttributes, message: string, source: RefusalSource): Result<PluginAnswer> =>
  refuseBecauseOf(request, newForbidden(request, message), source);

interface Limit {
  readonly refused: string;
  readonly allowed: string;
}

/** The limit is a field of a stored object. */
export function byObject(object: KubernetesObject, field: string, limit?: Limit): RefusalSource {
  const { name = '', namespace = '' } = metadataOf(object);
  return { kind: object.kind, namespace, name, field, ...limit };
}

/** The limit is in the plugin's configuration file. */
export const byFile = (field: string, limit: Limit): RefusalSource => ({
  kind: 'file',
  namespace: '',
  name: '--admission-control-config-file',
  field,
  ...limit,
});

export const byRule = (refused: string, allowed: string): RefusalSource => ({
  kind: 'rule',
  namespace: '',
  name: '',
  field: '',
  refused,
  allowed,
});

/** `bob may not approve signers.certificates.k8s.io example.com/one`. */
export const byPermission = (user: string, may: string, refused: string): RefusalSource => ({
  kind: 'permission',
  namespace: '',
  name: user,
  field: may,
  refused,
  allowed: `who may ${may}`,
});

/** Follows apiserver pkg/admission/errors.go (rule ENV-3). */
export const newForbidden = (request: AdmissionAttributes, message: string): Status =>
  forbidden(request.resource, admissionName(request), message);

export const admissionName = ({ name, object }: AdmissionAttributes): string => name || nameOf(object);

function nameOf(object: KubernetesObject | null): string {
  if (object !== null && object.metadata === undefined) return 'Unknown/errorGettingName';
  const { name, generateName } = object === null ? {} : metadataOf(object);
  return name || generateName || 'Unknown';
}
