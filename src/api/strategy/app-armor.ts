import { containerLists } from '../validation/core/container-lists.ts';
import { trimSpace } from '../../machinery/go/strings.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { type JsonObject, asList, asObject, asString, valueAt } from '../../machinery/json/json.ts';
import { type FieldError, forbiddenField } from '../../machinery/meta/field-error.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { appArmorPrefix } from '../validation/core/pod-warnings.ts';
import { podSpecPaths } from './gated-fields.ts';
import { withField } from './resource-rules.ts';
import type { Strategy } from './strategy.ts';

/**
 * Copies AppArmor annotations to fields, unless the pod has the profile. Follows kubernetes
 * pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew.
 */
export function withAppArmorFields(pod: KubernetesObject): KubernetesObject {
  const annotations = metadataOf(pod).annotations ?? {};
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix))) return pod;
  const spec = asObject(pod['spec']);
  const ofPod = asObject(spec['securityContext'])['appArmorProfile'];
  if (isWindowsPod(spec)) return pod;
  const withProfile = (container: JsonObject): JsonObject => {
    const context = asObject(container['securityContext']);
    const profile = parseProfile(annotations[profileAnnotationKey(container)]);
    if (context['appArmorProfile'] !== undefined || !profile || sameJson(ofPod, profile)) return container;
    const securityContext = { ...context, appArmorProfile: profile };
    return { ...container, securityContext };
  };
  const changed = containerLists
    .filter((list) => spec[list] !== undefined)
    .map((list) => [list, asList(spec[list]).map((container) => withProfile(asObject(container)))] as const);
  return withField(pod, 'spec', { ...spec, ...Object.fromEntries(changed) });
}

const isWindowsPod = (spec: JsonObject): boolean => asObject(spec['os'])['name'] === 'windows';

const profileAnnotationKey = (container: JsonObject): string => `${appArmorPrefix}${asString(container['name'])}`;

/** Warnings about annotations before they become fields, also for a refused pod. */
export function appArmorWarnings(pod: KubernetesObject): readonly string[] {
  const annotations = metadataOf(pod).annotations ?? {};
  const spec = asObject(pod['spec']);
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix)) || isWindowsPod(spec)) return [];
  const ofPod = asObject(spec['securityContext'])['appArmorProfile'];
  return containerLists
    .flatMap((list) => asList(spec[list]))
    .map(asObject)
    .filter((container) => {
      const annotation = annotations[profileAnnotationKey(container)];
      if (annotation === undefined || asObject(container['securityContext'])['appArmorProfile'] !== undefined)
        return false;
      const profile = parseProfile(annotation);
      return profile === undefined || !sameJson(ofPod, profile);
    })
    .map(
      (container) =>
        `metadata.annotations[${profileAnnotationKey(container)}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    );
}

const localhostPrefix = 'localhost/';
const maxProfileLength = 4095;

/** undefined for an unknown or invalid profile. */
function parseProfile(annotation: string | undefined): JsonObject | undefined {
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === undefined || !annotation.startsWith(localhostPrefix)) return undefined;
  const localhostProfile = annotation.slice(localhostPrefix.length);
  const isValid =
    localhostProfile !== '' &&
    trimSpace(localhostProfile) === localhostProfile &&
    localhostProfile.length <= maxProfileLength;
  return isValid ? { type: 'Localhost', localhostProfile } : undefined;
}

/** The effect of --allow-privileged=false. Follows kubernetes pkg/apis/core/validation ValidateSecurityContext. */
export function rejectPrivileged({ group, resource }: GroupResource, strategy: Strategy): Strategy {
  const path = podSpecPaths[`${group}/${resource}`]?.split('.');
  if (path === undefined) return strategy;
  const isPod = resource === 'pods';
  return {
    ...strategy,
    validate: (object) => [...strategy.validate(object), ...privilegedErrors(object, path, allContainerFields)],
    validateUpdate: (object, old, subresource) => [
      ...strategy.validateUpdate(object, old, subresource),
      ...privilegedErrors(object, path, selectUpdateFields(isPod, subresource)),
    ],
  };
}

const allContainerFields = ['containers', 'initContainers', 'ephemeralContainers'];

/** Only ephemeral containers can be added to a pod; a template can change completely. */
function selectUpdateFields(isPod: boolean, subresource: string): readonly string[] {
  if (isPod) return subresource === 'ephemeralcontainers' ? ['ephemeralContainers'] : [];
  return subresource === '' ? allContainerFields : [];
}

function privilegedErrors(
  object: KubernetesObject,
  path: readonly string[],
  fields: readonly string[],
): readonly FieldError[] {
  const spec = asObject(valueAt(object, ...path));
  return fields.flatMap((field) =>
    asList(spec[field]).flatMap((container, index) => {
      if (asObject(asObject(container)['securityContext'])['privileged'] !== true) return [];
      const at = `${[...path, field].join('.')}[${index}].securityContext.privileged`;
      return [forbiddenField(at, 'disallowed by cluster policy')];
    }),
  );
}
