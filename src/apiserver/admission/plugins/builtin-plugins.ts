import {
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
  certificateSubjectRestriction,
} from './certificate-plugins.ts';
import { defaultIngressClass, defaultStorageClass } from './default-class.ts';
import type { BuiltinPlugin, PluginPorts, Decide, DecideSync, PluginAnswer } from '../chain/plugin.ts';
import { alwaysAdmit, alwaysDenyPlugin } from './always.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { denyServiceExternalIPs } from './deny-service-external-ips.ts';
import { createEventRateLimit } from './event-rate-limit.ts';
import { createImagePolicyWebhook } from './image-policy-webhook.ts';
import { extendedResourceToleration, createDefaultTolerationSeconds } from './toleration-plugins.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { namespaceAutoProvision, namespaceExists, namespaceLifecycle } from './namespace-plugins.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';
import { createPodNodeSelector } from './pod-node-selector.ts';
import { createPodTolerationRestriction } from './pod-toleration-restriction.ts';
import { jobValidation, podGroupWorkloadExists } from './pod-group-plugins.ts';
import { limitRanger } from './limit-ranger/limit-ranger.ts';
import { nodeDeclaredFeatureValidator, podResizeValidator } from './bound-pod-plugins.ts';
import { nodeRestriction } from './node-restriction/node-restriction.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { createPodSecurity } from './pod-security/pod-security.ts';
import { podTopologyLabels } from './pod-topology-labels.ts';
import { priority } from './priority.ts';
import { defaultSettings, type PluginSettings } from './plugin-settings.ts';
import { createResourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account/service-account.ts';
import { storageObjectInUseProtection, podGroupProtection } from './finalizer-plugins.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';
import type { Clock } from '../../../machinery/clock.ts';
import type { ChainPlugin, CallLimits } from '../chain/create-chain.ts';
import { wrapOwnPlugin, type OwnPlugin, insertOwnPlugins } from '../chain/own-plugin.ts';
import { admissionPlugins, enabledNames, hasPlugin, type PluginFlags } from './plugin-order.ts';
import { emptyList } from '../../../machinery/lists.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { AdmissionAttributes, AdmissionPhase } from '../chain/attributes.ts';
import type { AdmissionResult, AuditAnnotation, PluginRecord } from '../chain/outcome.ts';

/** Created once per chain, with their state; plugin-order.ts has the order. */
export const createBuiltinPlugins = (settings: PluginSettings): ReadonlyMap<string, BuiltinPlugin> =>
  new Map(
    [
      namespaceLifecycle,
      limitRanger,
      serviceAccount,
      nodeRestriction,
      taintNodesByCondition,
      createPodSecurity(settings.podSecurity),
      priority,
      createDefaultTolerationSeconds(settings.tolerationSeconds),
      defaultStorageClass,
      storageObjectInUseProtection,
      podGroupProtection,
      persistentVolumeClaimResize,
      runtimeClass,
      certificateApproval,
      certificateSigning,
      clusterTrustBundleAttest,
      certificateSubjectRestriction,
      defaultIngressClass,
      podTopologyLabels,
      podGroupWorkloadExists,
      nodeDeclaredFeatureValidator,
      jobValidation,
      podResizeValidator,
      createResourceQuota(settings.limitedResources),
      alwaysAdmit,
      namespaceAutoProvision,
      namespaceExists,
      limitPodHardAntiAffinityTopology,
      alwaysPullImages,
      createPodNodeSelector(settings.nodeSelectors),
      createPodTolerationRestriction(settings.podTolerations),
      createEventRateLimit(settings.eventLimits),
      extendedResourceToleration,
      ownerReferencesPermissionEnforcement,
      denyServiceExternalIPs,
      createImagePolicyWebhook(settings.imagePolicy),
      alwaysDenyPlugin,
    ].map((plugin) => [plugin.name, plugin]),
  );

export const builtinNames: ReadonlySet<string> = new Set(createBuiltinPlugins(defaultSettings).keys());

/** The enabled plugins in order: compiled-in and given ones. Unimplemented names are dropped. */
export function createEnabledPlugins(
  flags: PluginFlags,
  calling: readonly ChainPlugin[],
  { pluginPorts, clock, settings, minor }: ChainParts,
): readonly ChainPlugin[] {
  const builtins = createBuiltinPlugins(settings);
  const known = new Map(calling.map((plugin) => [plugin.name, plugin] as const));
  const own = new Map(settings.ownPlugins.map((plugin) => [plugin.name, wrapOwnPlugin(plugin)] as const));
  const names = orderPluginNames(flags, settings.ownPlugins).filter((name) => hasPlugin(name, minor));
  return names.flatMap((name) => {
    const builtin = builtins.get(name) ?? own.get(name);
    return builtin ? wrapBuiltinPlugin(builtin, pluginPorts, clock) : (known.get(name) ?? []);
  });
}

/** The names of the running plugins; an own plugin may be placed beside a disabled one. */
export function orderPluginNames(flags: PluginFlags, own: readonly OwnPlugin[]): readonly string[] {
  const runPlugin = new Set([...enabledNames(flags), ...own.map(({ name }) => name)]);
  return insertOwnPlugins(admissionPlugins.inOrder, own).filter((name) => runPlugin.has(name));
}

interface ChainParts {
  readonly pluginPorts: PluginPorts;
  readonly clock: Clock;
  readonly settings: PluginSettings;
  readonly minor: number;
}

/** Runs a compiled-in plugin; its result has the fields in the order in which Go prints them. */
export function wrapBuiltinPlugin(plugin: BuiltinPlugin, ports: PluginPorts, clock: Clock): ChainPlugin {
  const { name, operations, mutate, validate } = plugin;
  const running =
    (decide: Decide | DecideSync, phase: AdmissionPhase) =>
    async (request: AdmissionAttributes, _limits: CallLimits, round: 0 | 1 = 0): Promise<AdmissionResult> => {
      const startedAt = clock.now();
      const answer = await decide(request, ports);
      const object = objectAfter(answer, request, ports);
      const result = answer.ok ? answer.value : undefined;
      const outcome = outcomeOf(answer, object !== request.object);
      return {
        verdict:
          outcome?.outcome === 'denied'
            ? { outcome: 'refused', status: outcome.status }
            : { outcome: 'admitted', object },
        records: outcome
          ? [{ type: 'plugin', plugin: name, phase, round, outcome, object, startedAt, finishedAt: clock.now() }]
          : emptyList,
        warnings: result?.warnings ?? emptyList,
        annotations: auditAnnotations(result?.annotations),
        ...(result?.counts && { counts: result.counts }),
      };
    };
  return {
    name,
    operations,
    callsOut: false,
    ...(mutate && { mutate: running(mutate, 'mutating'), mutatesOnly: mutate.only }),
    ...(validate && { validate: running(validate, 'validating'), validatesOnly: validate.only }),
  };
}

function objectAfter(
  answer: Result<PluginAnswer>,
  { object: before }: AdmissionAttributes,
  { codec }: PluginPorts,
): KubernetesObject | null {
  const object = answer.ok ? answer.value.object : before;
  return object === before || object === null ? object : codec.inFieldOrder(object, before ?? undefined);
}

const auditAnnotations = (annotations: PluginAnswer['annotations']): readonly AuditAnnotation[] =>
  annotations ? Object.entries(annotations).map(([key, value]) => ({ key, value, level: 'Metadata' })) : emptyList;

/** undefined for a plugin that changed nothing. */
function outcomeOf(answer: Result<PluginAnswer>, changed: boolean): PluginRecord['outcome'] | undefined {
  if (!answer.ok) return { outcome: 'denied', status: answer.status };
  const { refusal, refusedBy } = answer.value;
  if (refusal) return { outcome: 'denied', status: refusal, ...(refusedBy ? { by: refusedBy } : {}) };
  return changed ? { outcome: 'changed' } : undefined;
}
