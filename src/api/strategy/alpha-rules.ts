import { configMapKeyErrors, dns1035Label, dns1123Subdomain } from '../../machinery/meta/names.ts';
import { asObject, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { fieldsChanged, withField, type ResourceRules } from './resource-rules.ts';

const withStatus = { emptyStatus: {}, statusKeepsMetadata: true } as const;
const allowAnyName = (): readonly string[] => [];

/** Resources with alpha or beta versions only. Follows the strategy.go files of kubernetes pkg/registry. */
export const alphaRules: Readonly<Record<string, ResourceRules>> = {
  // The name format depends on the signer.
  'certificates.k8s.io/clustertrustbundles': { scope: 'Cluster', name: allowAnyName, needsResourceVersion: true },
  'certificates.k8s.io/podcertificaterequests': { needsResourceVersion: true, ...withStatus },
  'coordination.k8s.io/leasecandidates': {
    name: (name) => configMapKeyErrors(name),
    anyFinalizer: true,
    allowCreateOnUpdate: true,
    needsResourceVersion: true,
  },
  'internal.apiserver.k8s.io/storageversions': {
    scope: 'Cluster',
    name: validateStorageVersionName,
    needsResourceVersion: true,
    ...withStatus,
  },
  'resource.k8s.io/devicetaintrules': {
    scope: 'Cluster',
    returnsDeletedObject: true,
    newGeneration: fieldsChanged('spec'),
    ...withStatus,
    prepareForCreate: (rule, { now }) => ok(withTimeAdded(rule, undefined, now)),
    prepareForUpdate: (rule, old, subresource, { now }) =>
      ok(subresource === '' ? withTimeAdded(rule, old, now) : rule),
  },
  'resource.k8s.io/resourcepoolstatusrequests': {
    scope: 'Cluster',
    returnsDeletedObject: true,
    needsResourceVersion: true,
    statusKeepsMetadata: true,
    // Its status is a pointer: nil at first.
    prepareForCreate: (request) => ok(withField(request, 'status', undefined)),
    restore: { '': (request, old) => withField(request, 'status', old['status']) },
  },
  'scheduling.k8s.io/podgroups': withStatus,
  'scheduling.k8s.io/workloads': {},
  'storagemigration.k8s.io/storageversionmigrations': { scope: 'Cluster', needsResourceVersion: true, ...withStatus },
};

/** `apps.deployments`. Follows kubernetes pkg/apis/apiserverinternal/validation ValidateStorageVersionName. */
function validateStorageVersionName(name: string): readonly string[] {
  const at = name.lastIndexOf('.');
  if (at < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dns1123Subdomain(name.slice(0, at)).map((text) => `the group segment ${text}`),
    ...dns1035Label(name.slice(at + 1)).map((text) => `the resource segment ${text}`),
  ];
}

/** A changed effect restarts timeAdded unless the client sets it. */
function withTimeAdded(rule: KubernetesObject, old: KubernetesObject | undefined, now: number): KubernetesObject {
  const spec = asObject(rule['spec']);
  const taint = spec['taint'];
  if (!isJsonObject(taint)) return rule;
  const before: JsonObject = asObject(asObject(old?.['spec'])['taint']);
  const restarts = old && before['effect'] !== taint['effect'] && before['timeAdded'] === taint['timeAdded'];
  if (taint['timeAdded'] && !restarts) return rule;
  return withField(rule, 'spec', { ...spec, taint: { ...taint, timeAdded: formatTime(now) } });
}
