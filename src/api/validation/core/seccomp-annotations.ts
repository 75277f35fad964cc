import { eachKey, none } from '../field-rules.ts';
import { forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { StringMap } from '../../../machinery/meta/object.ts';
import { containerLists } from './container-lists.ts';
import type { Complaints } from '../field-rules.ts';
import { localDescendingPath } from './local-path.ts';
import { ownValue } from '../../../machinery/meta/own-value.ts';
import type { Container, Pod, PodSpec } from '../../types/generated/core-v1.ts';

const prefix = 'seccomp.security.alpha.kubernetes.io/';
const local = 'localhost/';

/** A profile in an annotation and in a field is the same. Follows kubernetes pkg/apis/core/validation validateSeccompAnnotationsAndFields. */
export function seccompAnnotationErrors(pod: Pod): Complaints {
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
    mismatch(annotations[key], holder, `${path}.securityContext.seccompProfile`),
  );
}

function mismatch(annotation: string | undefined, holder: Container | PodSpec, path: string): Complaints {
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

/** A profile in an annotation is one that there is. Follows kubernetes pkg/apis/core/validation ValidateSeccompPodAnnotations. */
export const seccompProfileErrors = (annotations: StringMap, path: string): Complaints =>
  eachKey(annotations, (key) =>
    key === `${prefix}pod` || key.startsWith(`container.${prefix}`)
      ? profileErrors(annotations[key] ?? '', `${path}.${key}`)
      : none,
  );

function profileErrors(profile: string, field: string): Complaints {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  return profile.startsWith(local)
    ? localDescendingPath(field, profile.slice(local.length))
    : [invalidValue(field, profile, 'must be a valid seccomp profile')];
}
