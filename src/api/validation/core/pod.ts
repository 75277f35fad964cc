import { forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { StringMap } from '../../../machinery/meta/object.ts';
import type { Pod, PodSpec } from '../../types/generated/core-v1.ts';
import { paddedImage } from './containers.ts';
import { each, when, eachOf } from '../field-rules.ts';
import type { Complaints } from '../field-rules.ts';
import { validatePodSpec } from './pod-spec.ts';
import { seccompAnnotationErrors, seccompProfileErrors } from './seccomp-annotations.ts';
import { tokenSources } from './projected-volume.ts';

/** A new pod, after its metadata. The file follows kubernetes pkg/apis/core/validation ValidatePodCreate. */
export function validatePod(pod: Pod): Complaints {
  const spec = asObject(pod.spec);
  return [
    ...validatePodContent(pod),
    ...when(asList(spec.ephemeralContainers).length > 0, () =>
      forbiddenField('spec.ephemeralContainers', 'cannot be set on create'),
    ),
    ...when(asString(spec.nodeName) !== '' && asList(spec.schedulingGates).length > 0, () =>
      forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'),
    ),
    ...seccompAnnotationErrors(pod),
  ];
}

/** What holds for new and for changed pods. */
export function validatePodContent(pod: Pod): Complaints {
  const spec = asObject(pod.spec);
  return [
    ...podAnnotations(metadataOf(pod).annotations, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, 'spec', true, metadataOf(pod).name),
    ...tokenErrors(spec),
    ...each(spec.containers, 'spec.containers', paddedImage),
    ...each(spec.initContainers, 'spec.initContainers', paddedImage),
  ];
}

const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** Annotations that pods and templates give a meaning. Follows kubernetes pkg/apis/core/validation ValidatePodSpecificAnnotations. */
export function podAnnotations(annotations: StringMap | undefined, spec: PodSpec, path: string): Complaints {
  if (annotations === undefined) return [];
  const cost = annotations[deletionCost];
  return [
    ...when(Boolean(annotations[mirror]) && asString(spec.nodeName) === '', () =>
      invalidValue(
        `${path}[${mirror}]`,
        annotations[mirror] ?? '',
        'must set spec.nodeName if mirror pod annotation is set',
      ),
    ),
    ...when(cost !== undefined && !isInt32(cost), () =>
      invalidValue(`${path}[${deletionCost}]`, cost ?? '', 'must be a 32bit integer'),
    ),
    ...seccompProfileErrors(annotations, path),
    ...appArmorErrors(annotations, spec, path),
  ];
}

const isInt32 = (text: string): boolean =>
  /^(0|-?[1-9]\d*)$/.test(text) && Number(text) >= -2147483648 && Number(text) <= 2147483647;

function appArmorErrors(annotations: StringMap, spec: PodSpec, path: string): Complaints {
  const keys = Object.keys(annotations).filter((key) => key.startsWith(appArmorPrefix));
  if (keys.length === 0) return [];
  const lists = [spec.initContainers, spec.containers, spec.ephemeralContainers];
  const names = new Set(lists.flatMap((list) => asList(list).map((container) => asObject(container).name)));
  return eachOf(keys, (key) => {
    const [name, profile] = [key.slice(appArmorPrefix.length), annotations[key] ?? ''];
    const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/');
    return [
      ...when(!names.has(name), () => invalidValue(`${path}[${key}]`, name, 'container not found')),
      ...when(!isKnown, () =>
        invalidValue(`${path}[${key}]`, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`),
      ),
    ];
  });
}

function tokenErrors(spec: PodSpec): Complaints {
  if (asString(spec.serviceAccountName) !== '') return [];
  return each(spec.volumes, 'spec.volumes', (volume, at) =>
    tokenSources(volume).map((index) =>
      forbiddenField(
        `${at}.projected.sources[${index}].serviceAccountToken`,
        'must not be specified when serviceAccountName is not set',
      ),
    ),
  );
}
