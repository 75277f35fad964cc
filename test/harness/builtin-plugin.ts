import type { ClusterView } from '../../src/machinery/meta/cluster-view.ts';
import { groupResourceText, parseApiVersion } from '../../src/machinery/meta/gvk.ts';
import { type JsonObject, type JsonValue, valueAt } from '../../src/machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../src/machinery/meta/object.ts';
import { ok } from '../../src/machinery/meta/result.ts';
import type { Status } from '../../src/machinery/meta/status.ts';
import type { AdmissionAttributes } from '../../src/apiserver/admission/chain/attributes.ts';
import { recordedRelease } from './recorded-release.ts';
import type { SyncPlugin, Decide, PluginPorts } from '../../src/apiserver/admission/chain/plugin.ts';

/** An object with the fields that matter to a test. */
export const object = (apiVersion: string, kind: string, name: string, fields: JsonObject = {}): KubernetesObject => ({
  kind,
  apiVersion,
  metadata: { name },
  ...fields,
});

/** A cluster with these objects, by `resource.group`. */
export function clusterOf(objects: Readonly<Record<string, readonly KubernetesObject[]>>): ClusterView {
  const stored = new Map(Object.entries(objects));
  return {
    get: (resource, namespace, name) =>
      stored
        .get(groupResourceText(resource))
        ?.find(({ metadata }) => metadata?.name === name && (metadata.namespace ?? '') === namespace),
    list: (resource) => stored.get(groupResourceText(resource)) ?? [],
  };
}

/** A CREATE of the object in namespace `ns`; cluster-scoped resources have `namespace: ''`. */
export function creating(
  created: KubernetesObject,
  resource: string,
  fields: Partial<AdmissionAttributes> = {},
): AdmissionAttributes {
  const { group, version } = parseApiVersion(created.apiVersion);
  return {
    operation: 'CREATE',
    kind: { group, version, kind: created.kind },
    resource: { group, version, resource },
    subresource: '',
    name: metadataOf(created).name ?? '',
    namespace: 'ns',
    object: created,
    oldObject: null,
    options: null,
    dryRun: false,
    userInfo: { username: 'u', uid: '', groups: [], extra: {} },
    ...fields,
  };
}

/** A CREATE of a Pod `p` with this spec. */
export const creatingPod = (spec: JsonObject, fields: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  creating(object('v1', 'Pod', 'p', { spec }), 'pods', fields);

export const portsOf = (cluster: ClusterView): PluginPorts => ({
  cluster,
  random: () => 0,
  authorize: () => ({ allowed: true, reason: '' }),
  now: () => 0,
  sleep: async () => {},
  nextIteration: async () => {},
  api: async () => ok({}),
  callWebhook: async () => ({ outcome: 'failed', phase: 'client', error: 'no webhook' }),
  catalogue: recordedRelease.createCatalogue(),
  codec: recordedRelease.codec,
});

/** The Status of a plugin's refusal, if any. Throws for a refusal that does not name its limit. */
export function refusalOf(answer: Awaited<ReturnType<Decide>> | undefined): Status | undefined {
  const decision = answer?.ok === true ? answer.value : undefined;
  const refusal = answer?.ok === false ? answer.status : decision?.refusal;
  if (refusal && !decision?.refusedBy) throw new Error(`the refusal does not name its limit: ${refusal.message}`);
  return refusal;
}

/** The result of a plugin: the message of its refusal, or the value at `path` of the object. */
export function outcomeOf(
  plugin: SyncPlugin,
  pass: 'mutate' | 'validate',
  { request, cluster, path }: { request: AdmissionAttributes; cluster: ClusterView; path: readonly string[] },
): JsonValue | undefined {
  if (!plugin.operations.includes(request.operation)) return 'not handled';
  const answer = plugin[pass]?.(request, portsOf(cluster));
  if (answer === undefined) return 'no such pass';
  const refusal = refusalOf(answer);
  return refusal?.message ?? valueAt(answer.ok ? (answer.value.object ?? undefined) : undefined, ...path);
}
