import { appArmorPrefix } from './pod-warnings.ts';
import {
  localDescendingPathErrors,
  each,
  eachKey,
  eachOf,
  noErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { metadataOf, ownValue, type StringMap } from '../../../machinery/meta/object.ts';
import type { Container, Pod, PodSpec } from '../../types/generated/core-v1.ts';
import { containerLists } from './container-lists.ts';
import { imageWhitespaceErrors } from './containers.ts';
import { validatePodSpec } from './pod-spec.ts';
import { listTokenSources } from './projected-volume.ts';

/** The file follows kubernetes pkg/apis/core/validation ValidatePodCreate. */
export function validatePod(pod: Pod): FieldErrors {
  const spec = asObject(pod.spec);
  return [
    ...validatePodContent(pod),
    ...errorIf(asList(spec.ephemeralContainers).length > 0, () =>
      forbiddenField('spec.ephemeralContainers', 'cannot be set on create'),
    ),
    ...errorIf(asString(spec.nodeName) !== '' && asList(spec.schedulingGates).length > 0, () =>
      forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'),
    ),
    ...seccompAnnotationErrors(pod),
  ];
}

export function validatePodContent(pod: Pod): FieldErrors {
  const spec = asObject(pod.spec);
  return [
    ...podAnnotationErrors(metadataOf(pod).annotations, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, 'spec', true, metadataOf(pod).name),
    ...tokenErrors(spec),
    ...each(spec.containers, 'spec.containers', imageWhitespaceErrors),
    ...each(spec.initContainers, 'spec.initContainers', imageWhitespaceErrors),
  ];
}

export const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/** Follows kubernetes pkg/apis/core/validation ValidatePodSpecificAnnotations. */
export function podAnnotationErrors(annotations: StringMap | undefined, spec: PodSpec, path: string): FieldErrors {
  if (annotations === undefined) return [];
  const cost = annotations[deletionCost];
  return [
    ...errorIf(Boolean(annotations[mirror]) && asString(spec.nodeName) === '', () =>
      invalidValue(
        `${path}[${mirror}]`,
        annotations[mirror] ?? '',
        'must set spec.nodeName if mirror pod annotation is set',
      ),
    ),
    ...errorIf(cost !== undefined && !isInt32(cost), () =>
      invalidValue(`${path}[${deletionCost}]`, cost ?? '', 'must be a 32bit integer'),
    ),
    ...eachKey(annotations, (key) =>
      key === `${prefix}pod` || key.startsWith(`container.${prefix}`)
        ? profileErrors(annotations[key] ?? '', `${path}.${key}`)
        : noErrors,
    ),
    ...appArmorErrors(annotations, spec, path),
  ];
}

const isInt32 = (text: string): boolean =>
  /^(0|-?[1-9]\d*)$/.test(text) && Number(text) >= -2147483648 && Number(text) <= 2147483647;

function appArmorErrors(annotations: StringMap, spec: PodSpec, path: string): FieldErrors {
  const keys = Object.keys(annotations).filter((key) => key.startsWith(appArmorPrefix));
  if (keys.length === 0) return [];
  const lists = [spec.initContainers, spec.containers, spec.ephemeralContainers];
  const names = new Set(lists.flatMap((list) => asList(list).map((container) => asObject(container).name)));
  return eachOf(keys, (key) => {
    const [name, profile] = [key.slice(appArmorPrefix.length), annotations[key] ?? ''];
    const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/');
    return [
      ...errorIf(!names.has(name), () => invalidValue(`${path}[${key}]`, name, 'container not found')),
      ...errorIf(!isKnown, () =>
        invalidValue(`${path}[${key}]`, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`),
      ),
    ];
  });
}

function tokenErrors(spec: PodSpec): FieldErrors {
  if (asString(spec.serviceAccountName) !== '') return [];
  return each(spec.volumes, 'spec.volumes', (volume, at) =>
    listTokenSources(volume).map((index) =>
      forbiddenField(
        `${at}.projected.sources[${index}].serviceAccountToken`,
        'must not be specified when serviceAccountName is not set',
      ),
    ),
  );
}

const prefix = 'seccomp.security.alpha.kubernetes.io/';
const local = 'localhost/';

/**
 * Annotations and fields must agree. Follows kubernetes pkg/apis/core/validation validateSeccompAnnotationsAndFields.
 */
function seccompAnnotationErrors(pod: Pod): FieldErrors {
  const annotations = metadataOf(pod).annotations ?? {};
  if (!Object.keys(annotations).some((key) => key.includes(prefix))) return [];
  const spec = asObject(pod.spec);
  const containers = containerLists.flatMap((list) =>
    asList(spec[list]).map((container, index) => {
      const holder = asObject(container);
      return [`container.${prefix}${asString(holder.name)}`, holder, `spec.${list}[${index}]`] as const;
    }),
  );
  return [[`${prefix}pod`, spec, 'spec'] as const, ...containers].flatMap(([key, holder, path]) =>
    profileMismatchErrors(annotations[key], holder, `${path}.securityContext.seccompProfile`),
  );
}

function profileMismatchErrors(annotation: string | undefined, holder: Container | PodSpec, path: string): FieldErrors {
  const profile = asObject(holder.securityContext).seccompProfile;
  if (annotation === undefined || profile === undefined) return [];
  const { type, localhostProfile } = asObject(profile);
  const isLocal = annotation.startsWith(local);
  if (type === 'Localhost' && isLocal) {
    if (annotation.slice(local.length) === localhostProfile) return [];
    return [forbiddenField(`${path}.localhostProfile`, 'seccomp profile in annotation and field must match')];
  }
  const named: Readonly<Record<string, readonly string[]>> = {
    Unconfined: ['unconfined'],
    RuntimeDefault: ['runtime/default', 'docker/default'],
    Localhost: [],
  };
  const wanted = ownValue(named, asString(type));
  if (wanted === undefined || wanted.includes(annotation)) return [];
  return [forbiddenField(`${path}.type`, 'seccomp type in annotation and field must match')];
}

function profileErrors(profile: string, field: string): FieldErrors {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  return profile.startsWith(local)
    ? localDescendingPathErrors(field, profile.slice(local.length))
    : [invalidValue(field, profile, 'must be a valid seccomp profile')];
}
