import { appArmorPrefix } from './pod-warnings.ts';
import {
  validateLocalDescendingPath,
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
import { validateImageWhitespace } from './containers.ts';
import { validatePodSpec } from './pod-spec.ts';
import { listTokenSources } from './projected-volume.ts';

/** The file follows kubernetes pkg/apis/core/validation ValidatePodCreate. */
export function validatePod(pod: Pod): FieldErrors {
  const spec = asObject(pod.spec);
  return [
    ...validatePodMetadataAndSpec(pod),
    ...errorIf(asList(spec.ephemeralContainers).length > 0, () =>
      forbiddenField('spec.ephemeralContainers', 'cannot be set on create'),
    ),
    ...errorIf(asString(spec.nodeName) !== '' && asList(spec.schedulingGates).length > 0, () =>
      forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'),
    ),
    ...validateSeccompAnnotationsAndFields(pod),
  ];
}

export function validatePodMetadataAndSpec(pod: Pod): FieldErrors {
  const spec = asObject(pod.spec);
  return [
    ...validatePodSpecificAnnotations(metadataOf(pod).annotations, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, 'spec', true, metadataOf(pod).name),
    ...validateServiceAccountTokens(spec),
    ...each(spec.containers, 'spec.containers', validateImageWhitespace),
    ...each(spec.initContainers, 'spec.initContainers', validateImageWhitespace),
  ];
}

export const mirrorAnnotation = 'kubernetes.io/config.mirror';
const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

/** Follows kubernetes pkg/apis/core/validation ValidatePodSpecificAnnotations. */
export function validatePodSpecificAnnotations(
  annotations: StringMap | undefined,
  spec: PodSpec,
  path: string,
): FieldErrors {
  if (annotations === undefined) return [];
  const cost = annotations[deletionCostAnnotation];
  return [
    ...errorIf(Boolean(annotations[mirrorAnnotation]) && asString(spec.nodeName) === '', () =>
      invalidValue(
        `${path}[${mirrorAnnotation}]`,
        annotations[mirrorAnnotation] ?? '',
        'must set spec.nodeName if mirror pod annotation is set',
      ),
    ),
    ...errorIf(cost !== undefined && !isInt32(cost), () =>
      invalidValue(`${path}[${deletionCostAnnotation}]`, cost ?? '', 'must be a 32bit integer'),
    ),
    ...eachKey(annotations, (key) =>
      key === `${seccompAnnotationPrefix}pod` || key.startsWith(`container.${seccompAnnotationPrefix}`)
        ? validateSeccompProfile(annotations[key] ?? '', `${path}.${key}`)
        : noErrors,
    ),
    ...validateAppArmorPodAnnotations(annotations, spec, path),
  ];
}

const isInt32 = (text: string): boolean =>
  /^(0|-?[1-9]\d*)$/.test(text) && Number(text) >= -2147483648 && Number(text) <= 2147483647;

function validateAppArmorPodAnnotations(annotations: StringMap, spec: PodSpec, path: string): FieldErrors {
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

function validateServiceAccountTokens(spec: PodSpec): FieldErrors {
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

const seccompAnnotationPrefix = 'seccomp.security.alpha.kubernetes.io/';
const localhostPrefix = 'localhost/';

/**
 * Annotations and fields must agree. Follows kubernetes pkg/apis/core/validation validateSeccompAnnotationsAndFields.
 */
function validateSeccompAnnotationsAndFields(pod: Pod): FieldErrors {
  const annotations = metadataOf(pod).annotations ?? {};
  if (!Object.keys(annotations).some((key) => key.includes(seccompAnnotationPrefix))) return [];
  const spec = asObject(pod.spec);
  const containers = containerLists.flatMap((list) =>
    asList(spec[list]).map((container, index) => {
      const holder = asObject(container);
      return [
        `container.${seccompAnnotationPrefix}${asString(holder.name)}`,
        holder,
        `spec.${list}[${index}]`,
      ] as const;
    }),
  );
  return [[`${seccompAnnotationPrefix}pod`, spec, 'spec'] as const, ...containers].flatMap(([key, holder, path]) =>
    validateSeccompAnnotationAndField(annotations[key], holder, `${path}.securityContext.seccompProfile`),
  );
}

function validateSeccompAnnotationAndField(
  annotation: string | undefined,
  holder: Container | PodSpec,
  path: string,
): FieldErrors {
  const profile = asObject(holder.securityContext).seccompProfile;
  if (annotation === undefined || profile === undefined) return [];
  const { type, localhostProfile } = asObject(profile);
  const isLocal = annotation.startsWith(localhostPrefix);
  if (type === 'Localhost' && isLocal) {
    if (annotation.slice(localhostPrefix.length) === localhostProfile) return [];
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

function validateSeccompProfile(profile: string, field: string): FieldErrors {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  return profile.startsWith(localhostPrefix)
    ? validateLocalDescendingPath(field, profile.slice(localhostPrefix.length))
    : [invalidValue(field, profile, 'must be a valid seccomp profile')];
}
