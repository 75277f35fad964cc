import { sameJson } from '../../machinery/json/json-equal.ts';
import { asList, asObject, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { metadataOf, withMetadata, type KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import { semanticEqual } from '../../machinery/meta/semantic-equal.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import type { EndpointSlice } from '../types/generated/discovery-v1.ts';
import { endpointsIpWarnings, policyCidrWarnings, sliceIpWarnings } from '../validation/core/ip-warnings.ts';
import { ipName, wholeSubdomain } from '../validation/meta/object-meta.ts';
import { sliceWarnings } from '../validation/resource/resource-slices.ts';
import { csiDriverUpdateWarnings, csiDriverWarnings } from '../validation/storage/csi.ts';
import {
  endpointSliceWarnings,
  runtimeClassWarnings,
  storageCapacityWarnings,
  webhookConfigurationWarnings,
} from './warnings.ts';
import {
  fieldsChanged,
  contentOrLabelsChanged,
  neverChanged,
  withField,
  type ResourceRules,
} from './resource-rules.ts';
import { podTemplateUpdateWarnings, podTemplateWarnings } from './workloads.ts';

/** Follows kubernetes pkg/apis/resource/v1/defaults.go SetDefaults_DeviceTaint. */
export function withTaintTimes(slice: KubernetesObject, now: number): KubernetesObject {
  const spec = asObject(slice['spec']);
  const devices = asList(spec['devices']);
  if (!devices.some((device) => asList(asObject(device)['taints']).some(lacksTimeAdded))) return slice;
  const timed = (taint: JsonValue): JsonValue =>
    lacksTimeAdded(taint) ? { ...asObject(taint), timeAdded: formatTime(now) } : taint;
  const changed = devices.map((device): JsonValue => {
    const { taints } = asObject(device);
    return taints === undefined ? device : { ...asObject(device), taints: asList(taints).map(timed) };
  });
  return withField(slice, 'spec', { ...spec, devices: changed });
}

const lacksTimeAdded = (taint: JsonValue): boolean => isJsonObject(taint) && (taint['timeAdded'] ?? null) === null;

/**
 * Drops the status of deallocated devices. Follows kubernetes pkg/registry/resource/resourceclaim/strategy.go
 * dropDeallocatedStatusDevices.
 */
export function dropDeallocatedStatusDevices(claim: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const status = asObject(claim['status']);
  const devices = asList(status['devices']);
  if (devices.length === 0) return claim;
  const stillAllocated = listAllocatedDevices(claim);
  const deallocated = [...listAllocatedDevices(old)].filter((id) => !stillAllocated.has(id));
  const remaining = devices.filter((device) => !deallocated.includes(formatDeviceKey(device)));
  if (remaining.length === devices.length) return claim;
  const { devices: _devices, ...rest } = status;
  return withField(claim, 'status', remaining.length === 0 ? rest : { ...status, devices: remaining });
}

function listAllocatedDevices({ status }: KubernetesObject): ReadonlySet<string> {
  const allocation: JsonObject = asObject(asObject(status)['allocation']);
  return new Set(asList(asObject(allocation['devices'])['results']).map(formatDeviceKey));
}

function formatDeviceKey(device: JsonValue): string {
  const { driver, pool, device: name, shareID } = asObject(device);
  return JSON.stringify([driver ?? '', pool ?? '', name ?? '', shareID ?? '']);
}

/**
 * Drops the v1beta1 field when endpoints change. Follows kubernetes pkg/registry/discovery/endpointslice/strategy.go
 * dropTopologyOnV1.
 */
export function dropTopologyOnV1(object: KubernetesObject, old?: KubernetesObject): Result<KubernetesObject> {
  const slice: EndpointSlice = object;
  const before: EndpointSlice | undefined = old;
  const endpoints = asList(slice.endpoints);
  if (!endpoints.some((one) => asObject(one).deprecatedTopology !== undefined)) return ok(object);
  if (before && semanticEqual(slice.endpoints ?? null, before.endpoints ?? null)) return ok(object);
  return ok({ ...object, endpoints: endpoints.map((item) => withoutTopology(asObject(item))) });
}

function withoutTopology({ deprecatedTopology: _dropped, ...rest }: JsonObject): JsonObject {
  return rest;
}

const countsSpecGeneration = { newGeneration: fieldsChanged('spec') } as const;
const clusterScoped = { scope: 'Cluster' } as const;
const configuration = {
  ...clusterScoped,
  anyFinalizer: true,
  needsResourceVersion: true,
} as const;
const policy: ResourceRules = { ...configuration, ...countsSpecGeneration };
const webhookConfiguration: ResourceRules = {
  ...configuration,
  newGeneration: fieldsChanged('webhooks'),
  countsEmpty: true,
  warningsOnCreate: webhookConfigurationWarnings,
  warningsOnUpdate: webhookConfigurationWarnings,
};

/** Follows kubernetes pkg/registry/flowcontrol/flowschema/strategy.go. */
const flowControl: ResourceRules = {
  ...clusterScoped,
  ...countsSpecGeneration,
  emptyStatus: {},
  restore: {
    status: (object, old) =>
      withMetadata({ ...old, status: object['status'] ?? {} }, { managedFields: metadataOf(object).managedFields }),
  },
};

/**
 * By group and resource. Follows the strategies in kubernetes pkg/registry; statuses are Go's zero values as printed.
 */
export const simpleRules: Readonly<Record<string, ResourceRules>> = {
  '/endpoints': {
    allowCreateOnUpdate: true,
    warningsOnCreate: endpointsIpWarnings,
    warningsOnUpdate: endpointsIpWarnings,
  },
  '/podtemplates': {
    returnsDeletedObject: true,
    newGeneration: fieldsChanged('template'),
    warningsOnCreate: podTemplateWarnings,
    warningsOnUpdate: podTemplateUpdateWarnings,
  },

  'discovery.k8s.io/endpointslices': {
    newGeneration: contentOrLabelsChanged,
    prepareForCreate: (slice) => dropTopologyOnV1(slice),
    prepareForUpdate: dropTopologyOnV1,
    warningsOnCreate: endpointSliceWarnings,
    warningsOnUpdate: sliceIpWarnings,
  },

  'networking.k8s.io/networkpolicies': {
    ...countsSpecGeneration,
    countsEmpty: true,
    warningsOnCreate: policyCidrWarnings,
    warningsOnUpdate: policyCidrWarnings,
  },
  'networking.k8s.io/ingressclasses': { ...clusterScoped, ...countsSpecGeneration },
  'networking.k8s.io/ipaddresses': { ...clusterScoped, name: ipName },
  'networking.k8s.io/servicecidrs': { ...clusterScoped, emptyStatus: {}, statusKeepsMetadata: true },

  'storage.k8s.io/csidrivers': {
    ...clusterScoped,
    returnsDeletedObject: true,
    needsResourceVersion: true,
    disabled: [['spec', 'preventPodSchedulingIfMissing']],
    prepareForUpdate: incrementDriverGeneration,
    warningsOnCreate: csiDriverWarnings,
    warningsOnUpdate: csiDriverUpdateWarnings,
  },
  'storage.k8s.io/csinodes': {
    ...clusterScoped,
    returnsDeletedObject: true,
    needsResourceVersion: true,
    emptyStatus: {},
    statusKeepsMetadata: true,
  },
  'storage.k8s.io/csistoragecapacities': {
    warningsOnCreate: storageCapacityWarnings,
    warningsOnUpdate: storageCapacityWarnings,
    needsResourceVersion: true,
  },
  'storage.k8s.io/volumeattributesclasses': { ...clusterScoped, returnsDeletedObject: true },
  'storage.k8s.io/volumeattachments': {
    ...clusterScoped,
    returnsDeletedObject: true,
    needsResourceVersion: true,
    emptyStatus: { attached: false },
    statusKeepsMetadata: true,
  },

  'coordination.k8s.io/leases': {
    anyFinalizer: true,
    allowCreateOnUpdate: true,
    needsResourceVersion: true,
    disabled: [
      ['spec', 'strategy'],
      ['spec', 'preferredHolder'],
    ],
  },
  'node.k8s.io/runtimeclasses': {
    ...clusterScoped,
    anyFinalizer: true,
    warningsOnCreate: runtimeClassWarnings,
    warningsOnUpdate: runtimeClassWarnings,
    allowCreateOnUpdate: true,
    needsResourceVersion: true,
  },

  'resource.k8s.io/deviceclasses': {
    ...clusterScoped,
    name: wholeSubdomain,
    returnsDeletedObject: true,
    ...countsSpecGeneration,
  },
  'resource.k8s.io/resourceclaims': {
    returnsDeletedObject: true,
    emptyStatus: {},
    statusKeepsMetadata: true,
    prepareForUpdate: (claim, old, subresource) =>
      ok(subresource === 'status' ? dropDeallocatedStatusDevices(claim, old) : claim),
  },
  'resource.k8s.io/resourceclaimtemplates': { returnsDeletedObject: true },
  'resource.k8s.io/resourceslices': {
    ...clusterScoped,
    returnsDeletedObject: true,
    ...countsSpecGeneration,
    prepareForCreate: (slice, { now }) => ok(withTaintTimes(slice, now)),
    prepareForUpdate: (slice, _old, _subresource, { now }) => ok(withTaintTimes(slice, now)),
    warningsOnCreate: sliceWarnings,
    warningsOnUpdate: sliceWarnings,
  },

  'flowcontrol.apiserver.k8s.io/flowschemas': flowControl,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': flowControl,

  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhookConfiguration,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhookConfiguration,
  'admissionregistration.k8s.io/validatingadmissionpolicies': {
    ...policy,
    emptyStatus: {},
    statusKeepsMetadata: true,
  },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': policy,
  'admissionregistration.k8s.io/mutatingadmissionpolicies': policy,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': policy,

  'scheduling.k8s.io/priorityclasses': { ...clusterScoped, newGeneration: neverChanged },
};

/** Generation starts with the first change. Follows kubernetes pkg/registry/storage/csidriver/strategy.go. */
function incrementDriverGeneration(driver: KubernetesObject, old: KubernetesObject): Result<KubernetesObject> {
  if (sameJson(driver['spec'], old['spec'])) return ok(driver);
  return ok(withMetadata(driver, { generation: (metadataOf(old).generation ?? 0) + 1 }));
}
