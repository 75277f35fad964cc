import { apiVersionOf, parseApiVersion } from '../../machinery/meta/gvk.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Converted } from './codec.ts';
import { autoscalerV1Into, toAutoscalerV1, toAutoscalerV2 } from './convert/autoscaler.ts';
import * as requests from './convert/device-requests.ts';
import { toCoreEvent, toEventsV1 } from './convert/event.ts';

/**
 * The object as another version of its kind (rule SEL-33). Versions that differ only in their name have their
 * apiVersion rewritten. Follows apimachinery pkg/runtime/scheme.go ConvertToVersion.
 */
export function convertObject(object: KubernetesObject, kind: GroupVersionKind): Converted {
  const apiVersion = apiVersionOf(kind);
  if (object.apiVersion === apiVersion && object.kind === kind.kind) return { outcome: 'converted', object };
  const from = parseApiVersion(object.apiVersion);
  const convert = conversions.get(`${object.apiVersion}/${object.kind} ${apiVersion}/${kind.kind}`);
  if (convert !== undefined) return converted(kind, convert(object));
  if (from.group === kind.group && object.kind === kind.kind) return converted(kind, object);
  return { outcome: 'inconvertible', error: unknownConversion(object, kind) };
}

/**
 * The object converted into one that exists, as apimachinery pkg/conversion/converter.go does: fields that the conversion
 * sets only sometimes keep the value they have there. The outcome is of `kind`, the kind of `existing`.
 */
export function convertObjectInto(
  object: KubernetesObject,
  kind: GroupVersionKind,
  existing: KubernetesObject,
): Converted {
  const convertInto = conversionsInto.get(`${object.apiVersion}/${object.kind}`);
  return convertInto ? converted(kind, convertInto(object, existing)) : convertObject(object, kind);
}

/**
 * What decoding makes of an object, which goes through the internal version: an autoscaling/v1 HorizontalPodAutoscaler gets
 * its target of 80 %, and the annotations that hold what v1 has no field for are written anew.
 */
export function throughInternal(object: KubernetesObject): KubernetesObject {
  const { kind, apiVersion } = object;
  if (apiVersion !== 'autoscaling/v1' || kind !== 'HorizontalPodAutoscaler') return object;
  const converted = { kind, apiVersion, ...toAutoscalerV1(toAutoscalerV2(object)) };
  return sameJson(converted, object) ? object : converted;
}

/** All other conversions set every field. */
const conversionsInto: ReadonlyMap<string, (object: JsonObject, existing: JsonObject) => JsonObject> = new Map([
  ['autoscaling/v1/HorizontalPodAutoscaler', autoscalerV1Into],
]);

const conversions: ReadonlyMap<string, (object: JsonObject) => JsonObject> = new Map([
  ['autoscaling/v1/HorizontalPodAutoscaler autoscaling/v2/HorizontalPodAutoscaler', toAutoscalerV2],
  ['autoscaling/v2/HorizontalPodAutoscaler autoscaling/v1/HorizontalPodAutoscaler', toAutoscalerV1],
  ...devicesBetween('ResourceClaim', requests.claimFromV1beta1, requests.claimToV1beta1),
  ...devicesBetween('ResourceClaimTemplate', requests.templateFromV1beta1, requests.templateToV1beta1),
  ...devicesBetween('ResourceSlice', requests.sliceFromV1beta1, requests.sliceToV1beta1),
  ['v1/Event events.k8s.io/v1/Event', toEventsV1],
  ['events.k8s.io/v1/Event v1/Event', toCoreEvent],
]);

type Convert = (object: JsonObject) => JsonObject;

/** v1beta1 of resource.k8s.io has another form than all later versions. */
function devicesBetween(kind: string, later: Convert, earlier: Convert): readonly (readonly [string, Convert])[] {
  const old = `resource.k8s.io/v1beta1/${kind}`;
  return ['v1beta2', 'v1'].flatMap((version): readonly (readonly [string, Convert])[] => {
    const newer = `resource.k8s.io/${version}/${kind}`;
    return [
      [`${old} ${newer}`, later],
      [`${newer} ${old}`, earlier],
    ];
  });
}

function converted(kind: GroupVersionKind, fields: JsonObject): Converted {
  return { outcome: 'converted', object: { kind: kind.kind, apiVersion: apiVersionOf(kind), ...without(fields) } };
}

function without({ kind: _kind, apiVersion: _apiVersion, ...fields }: JsonObject): JsonObject {
  return fields;
}

/** Go names the types it converts: `v1.Pod`, and the internal one by its package. Follows apimachinery pkg/conversion/converter.go. */
function unknownConversion(object: KubernetesObject, { group, kind }: GroupVersionKind): string {
  const { version } = parseApiVersion(object.apiVersion);
  return `converting (${version}.${object.kind}) to (${internalPackage(group)}.${kind}): unknown conversion`;
}

/** Events of both groups share the internal type of the core group. */
function internalPackage(group: string): string {
  return group === '' || group === 'events.k8s.io' ? 'core' : (group.split('.')[0] ?? group);
}
