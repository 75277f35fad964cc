import { asObject, asString } from '../../../../machinery/json/json.ts';
import { goQuote } from '../../../../machinery/meta/field-error.ts';
import {
  type CheckedPod,
  containersOf,
  type Holder,
  isWindows,
  quotedNames,
  pluralize,
  quoteAll,
  securityOf,
  describeSetters,
  sortedUnique,
  type Violation,
  containersText,
} from './check.ts';

/** The annotation that preceded the field. */
export const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';

export const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/';

const allowedTypes = ['RuntimeDefault', 'Localhost'];

function typeOf(holder: Holder): string | undefined {
  const profile = securityOf(holder).seccompProfile;
  return profile === undefined ? undefined : asString(asObject(profile).type);
}

const isBad = (holder: Holder): boolean => !allowedTypes.includes(typeOf(holder) ?? 'Localhost');

/** Before 1.19 annotations set the profile. Follows pod-security-admission policy/check_seccompProfile_baseline.go. */
export const seccompBaseline = (pod: CheckedPod, minor: number): Violation | undefined =>
  minor >= 19 ? badSeccomp(pod) : badAnnotations(pod);

function badAnnotations(pod: CheckedPod): Violation | undefined {
  const keys = [podSeccomp, ...quotedNames(containersOf(pod)).map((name) => `${containerSeccomp}${name}`)];
  const bad = keys.flatMap((key) => {
    const value = pod.annotations[key];
    return value === undefined || isAllowedAnnotation(asString(value)) ? [] : [`${key}=${goQuote(asString(value))}`];
  });
  if (bad.length === 0) return undefined;
  const forbidden = sortedUnique(bad);
  const word = pluralize('annotation', 'annotations', forbidden.length);
  return { reason: 'seccompProfile', detail: `forbidden ${word} ${forbidden.join(', ')}` };
}

const isAllowedAnnotation = (value: string): boolean =>
  value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');

function badSeccomp(pod: CheckedPod): Violation | undefined {
  const containers = containersOf(pod).filter(isBad);
  const subject = describeSetters(isBad(pod.spec), containers);
  if (subject === undefined) return undefined;
  const types = [pod.spec, ...containers].filter(isBad).map((holder) => typeOf(holder) ?? '');
  const detail = `${subject} must not set securityContext.seccompProfile.type to ${quoteAll(sortedUnique(types))}`;
  return { reason: 'seccompProfile', detail };
}

/** Follows pod-security-admission policy/check_seccompProfile_restricted.go. */
export function missingSeccomp(pod: CheckedPod, minor: number): Violation | undefined {
  if (isWindows(pod, minor)) return undefined;
  const bad = badSeccomp(pod);
  if (bad || typeOf(pod.spec) !== undefined) return bad;
  const silent = containersOf(pod).filter((container) => typeOf(container) === undefined);
  if (silent.length === 0) return undefined;
  const subject = `pod or ${containersText(silent)}`;
  const detail = `${subject} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
}
