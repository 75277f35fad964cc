import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import { metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { trimSpace } from '../../machinery/go/trim-space.ts';
import { appArmorPrefix } from '../validation/core/pod-warnings.ts';
import { withField } from './resource-rules.ts';

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/**
 * Copies AppArmor annotations to fields, unless the pod has the profile. Follows kubernetes
 * pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew.
 */
export function withAppArmorFields(pod: KubernetesObject): KubernetesObject {
  const annotations = metadataOf(pod).annotations ?? {};
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix))) return pod;
  const spec = asObject(pod['spec']);
  const ofPod = asObject(spec['securityContext'])['appArmorProfile'];
  if (isOfWindows(spec)) return pod;
  const profiled = (container: JsonObject): JsonObject => {
    const context = asObject(container['securityContext']);
    const profile = profileOf(annotations[keyOf(container)]);
    if (context['appArmorProfile'] !== undefined || !profile || sameJson(ofPod, profile)) return container;
    const securityContext = { ...context, appArmorProfile: profile };
    return { ...container, securityContext };
  };
  const changed = lists
    .filter((list) => spec[list] !== undefined)
    .map((list) => [list, asList(spec[list]).map((container) => profiled(asObject(container)))] as const);
  return withField(pod, 'spec', { ...spec, ...Object.fromEntries(changed) });
}

const isOfWindows = (spec: JsonObject): boolean => asObject(spec['os'])['name'] === 'windows';

const keyOf = (container: JsonObject): string => `${appArmorPrefix}${asString(container['name'])}`;

/** Warnings about annotations before they become fields, also for a refused pod. */
export function appArmorWarnings(pod: KubernetesObject): readonly string[] {
  const annotations = metadataOf(pod).annotations ?? {};
  const spec = asObject(pod['spec']);
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix)) || isOfWindows(spec)) return [];
  const ofPod = asObject(spec['securityContext'])['appArmorProfile'];
  return lists
    .flatMap((list) => asList(spec[list]))
    .map(asObject)
    .filter((container) => {
      const annotation = annotations[keyOf(container)];
      if (annotation === undefined || asObject(container['securityContext'])['appArmorProfile'] !== undefined)
        return false;
      const profile = profileOf(annotation);
      return profile === undefined || !sameJson(ofPod, profile);
    })
    .map(
      (container) =>
        `metadata.annotations[${keyOf(container)}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    );
}

const localhost = 'localhost/';
const longestProfile = 4095;

/** undefined for an unknown or invalid profile. */
function profileOf(annotation: string | undefined): JsonObject | undefined {
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === undefined || !annotation.startsWith(localhost)) return undefined;
  const localhostProfile = annotation.slice(localhost.length);
  const isValid =
    localhostProfile !== '' &&
    trimSpace(localhostProfile) === localhostProfile &&
    localhostProfile.length <= longestProfile;
  return isValid ? { type: 'Localhost', localhostProfile } : undefined;
}
