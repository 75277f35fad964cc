import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { appArmorPrefix } from '../validate/pod-warnings.ts';
import { withField } from './with-field.ts';

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/**
 * Containers get as a field the AppArmor profile that an annotation names, unless the pod has it already.
 * Follows kubernetes pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew.
 */
export function withAppArmorFields(pod: KubernetesObject): KubernetesObject {
  const annotations = metadataOf(pod).annotations ?? {};
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix))) return pod;
  const spec = asObject(pod['spec']);
  const ofPod = asObject(spec['securityContext'])['appArmorProfile'];
  const profiled = (container: JsonObject): JsonObject => {
    const context = asObject(container['securityContext']);
    const profile = profileOf(annotations[`${appArmorPrefix}${asString(container['name'])}`]);
    if (context['appArmorProfile'] !== undefined || !profile || sameJson(ofPod, profile)) return container;
    const securityContext = { ...context, appArmorProfile: profile };
    return { ...container, securityContext };
  };
  const changed = lists
    .filter((list) => spec[list] !== undefined)
    .map((list) => [list, asList(spec[list]).map((container) => profiled(asObject(container)))] as const);
  return withField(pod, 'spec', { ...spec, ...Object.fromEntries(changed) });
}

function profileOf(annotation: string | undefined): JsonObject | undefined {
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === undefined || !/^localhost\/./.test(annotation)) return undefined;
  return { type: 'Localhost', localhostProfile: annotation.slice('localhost/'.length) };
}
