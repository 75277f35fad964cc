import { asObject, asString } from '../../../apimachinery/json.ts';
import type { JsonObject } from '../../../apimachinery/json.ts';
import { containersOf, counted, isWindows, namesOf, quoted, securityOf, setters, sorted } from './check.ts';
import type { CheckedPod, Violation } from './check.ts';

const good = ['RuntimeDefault', 'Localhost'];

/** The seccomp profile that a pod or container names; undefined for none. */
function typeOf(holder: JsonObject): string | undefined {
  const profile = securityOf(holder)['seccompProfile'];
  return profile === undefined ? undefined : asString(asObject(profile)['type']);
}

const isBad = (holder: JsonObject): boolean => !good.includes(typeOf(holder) ?? 'Localhost');

/** Follows pod-security-admission policy/check_seccompProfile_baseline.go. */
export function badSeccomp(pod: CheckedPod): Violation | undefined {
  const containers = containersOf(pod).filter(isBad);
  const who = setters(isBad(pod.spec), containers);
  if (who === undefined) return undefined;
  const types = [pod.spec, ...containers].filter(isBad).map((holder) => typeOf(holder) ?? '');
  const detail = `${who} must not set securityContext.seccompProfile.type to ${quoted(sorted(types))}`;
  return { reason: 'seccompProfile', detail };
}

/** Follows pod-security-admission policy/check_seccompProfile_restricted.go. */
export function missingSeccomp(pod: CheckedPod, minor: number): Violation | undefined {
  if (isWindows(pod, minor)) return undefined;
  const bad = badSeccomp(pod);
  if (bad || typeOf(pod.spec) !== undefined) return bad;
  const silent = containersOf(pod).filter((container) => typeOf(container) === undefined);
  if (silent.length === 0) return undefined;
  const who = `pod or ${counted('container', namesOf(silent))}`;
  const detail = `${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
}
