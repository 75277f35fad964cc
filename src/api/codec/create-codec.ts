import { sameJson } from '../../machinery/json/json-equal.ts';
import { asObject, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { apiVersionOf, parseApiVersion, type GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import { createFieldOrder } from '../types/field-order.ts';
import type { StatefulSet } from '../types/generated/apps-v1.ts';
import type { Pod } from '../types/generated/core-v1.ts';
import { createAlignEmpty, createPrintedForm, createShownForm, createStoredForm } from './stored-form.ts';
import type { Codec, Converted, SentType } from './codec.ts';
import { convertAutoscalerV1Into, toAutoscalerV1, toAutoscalerV2 } from './convert/autoscaler.ts';
import * as requests from './convert/device-requests.ts';
import { toCoreEvent, toEventsV1 } from './convert/event.ts';
import { createDecoder } from './decode.ts';
import { applyDefaults } from './defaults/apply-defaults.ts';
import { defaultPodLevelResourcesOfBody } from './defaults/pod-level-resources.ts';

export interface BuiltinCodec extends Codec {
  readonly convertNow: (object: KubernetesObject, kind: GroupVersionKind) => Converted;
}

export function createCodec(types: BuiltinTypes, isOn: (gate: string) => boolean): BuiltinCodec {
  const applyDefaults = createApplyDefaults(isOn);
  const { decodeJson, decodeDocument, decodeType } = createDecoder(types);
  const inFieldOrder = createFieldOrder(types);
  const [printed, stored, shown] = [createPrintedForm(types), createStoredForm(types), createShownForm(types)];
  const setDefaults = (object: KubernetesObject): KubernetesObject => inFieldOrder(applyDefaults(object), object);
  const toFieldOrder = (converted: Converted, object: KubernetesObject): Converted => {
    if (converted.outcome === 'inconvertible' || converted.object === object) return converted;
    return { outcome: 'converted', object: inFieldOrder(converted.object) };
  };
  const convertNow: BuiltinCodec['convertNow'] = (object, kind) => toFieldOrder(convertObject(object, kind), object);
  return {
    types,
    decode: decodeJson,
    decodeValue: decodeDocument,
    decodeType,
    foreign: (sent, endpoint) => foreignKindError(types, sent, endpoint),
    applyDefaults: (object) => inFieldOrder(roundTripInternal(applyDefaults(object)), object),
    setDefaults,
    inFieldOrder,
    printed,
    stored,
    alignEmpty: createAlignEmpty(types),
    convertNow,
    convert: async (object, kind) => convertNow(object, kind),
    convertInto: async (object, kind, existing) => toFieldOrder(convertObjectInto(object, kind, existing), object),
    fromStorage: async (object, kind) => {
      const converted = convertNow(object, kind);
      if (converted.outcome === 'inconvertible') return converted;
      return { outcome: 'converted', object: shown(converted.object) };
    },
    toStorage: async (object, kind) => {
      const converted = convertNow(object, kind);
      if (converted.outcome === 'inconvertible') return converted;
      return { outcome: 'converted', object: stored(setDefaults(converted.object)) };
    },
  };
}

function createApplyDefaults(isOn: (gate: string) => boolean): typeof applyDefaults {
  const isOnDecoding = isOn('PodLevelResources') && !isOn('PodLevelResourcesFixDefaulting');
  const pods = isOnDecoding ? defaultPodResources : undefined;
  const drivers = isOn('VolumeLimitScaling') ? defaultPreventedScheduling : undefined;
  const sets = isOn('MaxUnavailableStatefulSet') ? defaultMaxUnavailable : undefined;
  return (object) => {
    const defaulted = applyDefaults(object);
    if (object.kind === 'Pod') return pods?.(defaulted) ?? defaulted;
    if (object.kind === 'CSIDriver') return drivers?.(defaulted) ?? defaulted;
    return sets?.(defaulted) ?? defaulted;
  };
}

/** With VolumeLimitScaling on. Follows kubernetes pkg/apis/storage/v1/defaults.go SetDefaults_CSIDriver. */
function defaultPreventedScheduling(object: KubernetesObject): KubernetesObject {
  if (!object.apiVersion.startsWith('storage.k8s.io/')) return object;
  return { ...object, spec: { preventPodSchedulingIfMissing: false, ...asObject(object['spec']) } };
}

/**
 * With PodLevelResources on and PodLevelResourcesFixDefaulting off, before 1.37. Follows kubernetes
 * pkg/apis/core/v1/defaults.go SetDefaults_Pod.
 */
function defaultPodResources(object: KubernetesObject): KubernetesObject {
  const pod: Pod = object;
  if (object.apiVersion !== 'v1' || !isJsonObject(pod.spec)) return object;
  const spec = defaultPodLevelResourcesOfBody(pod.spec);
  return spec === pod.spec ? object : { ...object, spec };
}

/**
 * With MaxUnavailableStatefulSet on, in 1.35 and 1.37. Follows kubernetes pkg/apis/apps/v1/defaults.go
 * SetDefaults_StatefulSet.
 */
function defaultMaxUnavailable(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'StatefulSet' || object.apiVersion !== 'apps/v1') return object;
  const set: StatefulSet = object;
  const spec = asObject(set.spec);
  const updateStrategy = asObject(spec.updateStrategy);
  const { type, rollingUpdate } = updateStrategy;
  if (type !== 'RollingUpdate' || !isJsonObject(rollingUpdate) || rollingUpdate.maxUnavailable !== undefined) {
    return object;
  }
  const filled = { ...updateStrategy, rollingUpdate: { ...rollingUpdate, maxUnavailable: 1 } };
  return { ...object, spec: { ...spec, updateStrategy: filled } };
}

/**
 * `no kind "Foo" is registered for version "v1" in scheme "…"`, `converting (v1.Pod) to (core.ConfigMap): unknown
 * conversion`; undefined for this kind in any version. Follows apimachinery pkg/runtime/error.go and
 * pkg/conversion/converter.go.
 */
export function foreignKindError(
  { isRegistered }: Pick<BuiltinTypes, 'isRegistered'>,
  sent: SentType,
  kind: GroupVersionKind,
): string | undefined {
  const { group, version } = parseApiVersion(sent.apiVersion);
  if (sent.kind === kind.kind && group === kind.group && version === kind.version) return undefined;
  const scheme = schemeName(kind.group);
  const sentKind = { group, version, kind: sent.kind };
  if (!isRegistered(sentKind) || schemeName(group) !== scheme) {
    return `no kind "${sent.kind}" is registered for version "${sent.apiVersion}" in scheme "${scheme}"`;
  }
  if (sent.kind === kind.kind && (group === kind.group || isOldGroup(sentKind))) return undefined;
  const converted = convertObject({ kind: sent.kind, apiVersion: sent.apiVersion }, kind);
  return converted.outcome === 'converted' ? undefined : converted.error;
}

/** The text of a bare 400; undefined for the endpoint's version. Follows apiserver pkg/endpoints/handlers/create.go. */
export const foreignVersionError = (sent: SentType, kind: GroupVersionKind): string | undefined =>
  sent.apiVersion === apiVersionOf(kind)
    ? undefined
    : `the API version in the data (${sent.apiVersion}) does not match the expected API version (${apiVersionOf(kind)})`;

/** These kinds share the internal types of the groups they moved to. */
const isOldGroup = ({ group, kind }: GroupVersionKind): boolean =>
  group === 'extensions' || (group === 'apps' && kind === 'Scale');

/** Upstream names a scheme after the source line that creates it; only the first was observed. */
function schemeName(group: string): string {
  if (group === 'apiextensions.k8s.io') return 'k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:53';
  if (group === 'apiregistration.k8s.io') return 'k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:32';
  return 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';
}

/**
 * Converts to another version of its kind (rule SEL-33). Follows apimachinery pkg/runtime/scheme.go ConvertToVersion.
 */
export function convertObject(object: KubernetesObject, kind: GroupVersionKind): Converted {
  const apiVersion = apiVersionOf(kind);
  if (object.apiVersion === apiVersion && object.kind === kind.kind) return { outcome: 'converted', object };
  const from = parseApiVersion(object.apiVersion);
  const convert = conversions.get(`${object.apiVersion}/${object.kind} ${apiVersion}/${kind.kind}`);
  if (convert !== undefined) return toConverted(kind, convert(object));
  if (from.group === kind.group && object.kind === kind.kind) return toConverted(kind, object);
  return { outcome: 'inconvertible', error: unknownConversionError(object, kind) };
}

/** Converts into `existing`, whose kind is `kind`. Follows apimachinery pkg/conversion/converter.go. */
function convertObjectInto(object: KubernetesObject, kind: GroupVersionKind, existing: KubernetesObject): Converted {
  const convertInto = conversionsInto.get(`${object.apiVersion}/${object.kind}`);
  return convertInto ? toConverted(kind, convertInto(object, existing)) : convertObject(object, kind);
}

/** Decoding passes through the internal version: autoscaling/v1 gets its 80 % target and rewritten annotations. */
function roundTripInternal(object: KubernetesObject): KubernetesObject {
  const { kind, apiVersion } = object;
  if (apiVersion !== 'autoscaling/v1' || kind !== 'HorizontalPodAutoscaler') return object;
  const converted = { kind, apiVersion, ...toAutoscalerV1(toAutoscalerV2(object)) };
  return sameJson(converted, object) ? object : converted;
}

/** All other conversions set every field. */
const conversionsInto: ReadonlyMap<string, (object: JsonObject, existing: JsonObject) => JsonObject> = new Map([
  ['autoscaling/v1/HorizontalPodAutoscaler', convertAutoscalerV1Into],
]);

const conversions: ReadonlyMap<string, (object: JsonObject) => JsonObject> = new Map([
  ['autoscaling/v1/HorizontalPodAutoscaler autoscaling/v2/HorizontalPodAutoscaler', toAutoscalerV2],
  ['autoscaling/v2/HorizontalPodAutoscaler autoscaling/v1/HorizontalPodAutoscaler', toAutoscalerV1],
  ...createDeviceConversions('ResourceClaim', requests.convertClaimFromV1beta1, requests.convertClaimToV1beta1),
  ...createDeviceConversions(
    'ResourceClaimTemplate',
    requests.convertTemplateFromV1beta1,
    requests.convertTemplateToV1beta1,
  ),
  ...createDeviceConversions('ResourceSlice', requests.convertSliceFromV1beta1, requests.convertSliceToV1beta1),
  ['v1/Event events.k8s.io/v1/Event', toEventsV1],
  ['events.k8s.io/v1/Event v1/Event', toCoreEvent],
]);

type Convert = (object: JsonObject) => JsonObject;

function createDeviceConversions(
  kind: string,
  toNewer: Convert,
  toOlder: Convert,
): readonly (readonly [string, Convert])[] {
  const old = `resource.k8s.io/v1beta1/${kind}`;
  return ['v1beta2', 'v1'].flatMap((version): readonly (readonly [string, Convert])[] => {
    const newer = `resource.k8s.io/${version}/${kind}`;
    return [
      [`${old} ${newer}`, toNewer],
      [`${newer} ${old}`, toOlder],
    ];
  });
}

function toConverted(kind: GroupVersionKind, fields: JsonObject): Converted {
  return {
    outcome: 'converted',
    object: { kind: kind.kind, apiVersion: apiVersionOf(kind), ...dropTypeMeta(fields) },
  };
}

function dropTypeMeta({ kind: _kind, apiVersion: _apiVersion, ...fields }: JsonObject): JsonObject {
  return fields;
}

/** Follows apimachinery pkg/conversion/converter.go. */
function unknownConversionError(object: KubernetesObject, { group, kind }: GroupVersionKind): string {
  const { version } = parseApiVersion(object.apiVersion);
  const internalPackage = group === '' || group === 'events.k8s.io' ? 'core' : (group.split('.')[0] ?? group);
  return `converting (${version}.${object.kind}) to (${internalPackage}.${kind}): unknown conversion`;
}
