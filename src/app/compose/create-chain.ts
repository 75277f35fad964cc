import { createEnabledPlugins } from '../../apiserver/admission/plugins/builtin-plugins.ts';
import type { PluginFlags } from '../../apiserver/admission/plugins/plugin-order.ts';
import type { PluginSettings } from '../../apiserver/admission/plugins/plugin-settings.ts';
import {
  type AdmissionChain,
  type ChainPlugin,
  createAdmissionChain,
} from '../../apiserver/admission/chain/create-chain.ts';
import {
  type ManifestPlugin,
  type StaticManifests,
  staticSuffix,
} from '../../apiserver/admission/configuration/manifests/static-manifests.ts';
import type { Expressions } from '../../apiserver/admission/matching/expressions.ts';
import type { LazyExpressions } from '../../apiserver/admission/matching/lazy-expressions.ts';
import type { LoopbackClient, ClusterView } from '../../machinery/meta/cluster-view.ts';
import { collectHooks, type HookIndex, indexHooks, type Hook } from '../../apiserver/admission/policies/hooks.ts';
import {
  type CurrentHooks,
  mutatingPolicyPlugin,
  validatingPolicyPlugin,
} from '../../apiserver/admission/policies/plugins.ts';
import { createPolicyPrograms } from '../../apiserver/admission/policies/policy-program.ts';
import {
  mutatingWebhookPlugin,
  validatingWebhookPlugin,
  type WebhookPluginPorts,
} from '../../apiserver/admission/webhooks/plugins.ts';
import type { Random, YieldIfLong } from '../../machinery/clock.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { createConfigurationMerger } from '../../api/apply/merge.ts';
import type { Authorize } from '../../apiserver/auth/authorizer.ts';
import { isCustomRow } from '../../apiserver/custom-resources/custom-codec.ts';
import { customKindOf } from '../../apiserver/custom-resources/serve-custom.ts';
import type { Release } from '../../api/release/release.ts';
import { hidesReviews } from '../../machinery/meta/hidden-reviews.ts';
import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import type { Codec } from '../../api/codec/codec.ts';
import type { ClusterCache } from '../../apiserver/storage/cluster-cache.ts';
import type { WebhookCallPorts } from '../../apiserver/admission/webhooks/call-and-decode.ts';
import {
  previewChain,
  type PreviewPorts,
  previewRequest,
  type PreviewStep,
} from '../../apiserver/admission/chain/preview-chain.ts';
import { collectWebhooks } from '../../apiserver/admission/webhooks/read-webhooks.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';

export interface AdmissionPorts extends WebhookCallPorts {
  readonly plugins: PluginFlags;
  readonly settings: PluginSettings;
  readonly yieldIfLong: YieldIfLong;
  /** Waits for the next iteration of the event loop. */
  readonly nextIteration: () => Promise<void>;
  readonly random: Random;
  /** Shuffles policies and bindings; default: by name. */
  readonly policySeed?: number | undefined;
  /** For trials: the mutating webhooks to call, in order; default: all by name. */
  readonly mutatingOrder?: (() => readonly string[] | undefined) | undefined;
}

interface ChainParts extends AdmissionPorts {
  readonly cluster: ClusterCache;
  readonly catalogue: Catalogue;
  readonly authorize: Authorize;
  readonly codec: Codec;
  readonly release: Pick<Release, 'isOn'>;
  readonly expressions: Expressions & Pick<LazyExpressions, 'load'>;
  readonly api: LoopbackClient;
}

/** `plugins` and `calls` are for previews. */
interface AssembledChain {
  readonly chain: AdmissionChain;
  readonly plugins: readonly ChainPlugin[];
  readonly calls: CallingPorts;
}

export function assembleChain(parts: ChainParts): AssembledChain {
  const { clock, settings, expressions } = parts;
  const calls = callingPorts(parts);
  const plugins = createEnabledPlugins(parts.plugins, callingPlugins(parts, calls), {
    pluginPorts: { ...parts, ...clock },
    clock,
    settings,
    minor: parts.codec.types.minor,
  });
  const chain = createAdmissionChain({ plugins, clock, yieldIfLong: parts.yieldIfLong });
  return { chain: settings.staticFolders.size > 0 ? afterLoading(expressions.load, chain) : chain, plugins, calls };
}

/** Writes of configurations load the expressions; static manifests have no such write. */
const afterLoading = (load: () => Promise<void>, chain: AdmissionChain): AdmissionChain => ({
  mutate: async (request, limits) => {
    await load();
    return chain.mutate(request, limits);
  },
  validate: async (request, limits) => {
    await load();
    return chain.validate(request, limits);
  },
});

const group = 'admissionregistration.k8s.io';

interface CallingPorts extends WebhookPluginPorts {
  readonly expressions: ChainParts['expressions'];
  readonly staticManifests: StaticManifests;
}

const callingPorts = (parts: ChainParts): CallingPorts => ({
  ...parts,
  getNamespace: (name) => parts.cluster.get({ group: '', resource: 'namespaces' }, '', name),
  mutatingConfigurations: () => parts.cluster.list({ group, resource: 'mutatingwebhookconfigurations' }),
  validatingConfigurations: () => parts.cluster.list({ group, resource: 'validatingwebhookconfigurations' }),
  staticManifests: parts.settings.staticManifests,
  excludesReviews: parts.release.isOn(hidesReviews),
});

/** Webhooks and policies. */
function callingPlugins(parts: ChainParts, calls: CallingPorts): readonly ChainPlugin[] {
  const { cluster, catalogue, codec, expressions } = parts;
  const { staticManifests } = calls;
  const mergeConfiguration = createConfigurationMerger(
    codec,
    (kind) => isPublished(kind, catalogue),
    (kind) => {
      const row = catalogue.forKind(kind);
      return row && isCustomRow(row) ? customKindOf(row.custom, kind.version) : undefined;
    },
  );
  const ports = {
    ...calls,
    cluster,
    programOf: createPolicyPrograms(expressions),
    mergeConfiguration,
  };
  const hooks = (plugin: ManifestPlugin, policies: string, bindings: string): CurrentHooks => ({
    stored: storedHooks(cluster, [policies, bindings], parts.policySeed),
    fixed: () => staticManifests.hooks(plugin),
  });
  return [
    mutatingPolicyPlugin(
      hooks('MutatingAdmissionPolicy', 'mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'),
      ports,
    ),
    mutatingWebhookPlugin(calls),
    validatingPolicyPlugin(
      hooks('ValidatingAdmissionPolicy', 'validatingadmissionpolicies', 'validatingadmissionpolicybindings'),
      ports,
    ),
    validatingWebhookPlugin(calls),
  ];
}

/** Whether the kind is in the schema of its own group and version; bodies of subresources and options often are not. */
const isPublished = ({ group: own, version, kind }: GroupVersionKind, catalogue: Catalogue): boolean =>
  !kind.endsWith('Options') &&
  catalogue.all().some((row) => row.group === own && row.version === version && row.kind.kind === kind);

/** Sorted again only after a write. */
function storedHooks(
  cluster: ClusterCache,
  [policies, bindings]: readonly [policies: string, bindings: string],
  seed: number | undefined,
): CurrentHooks['stored'] {
  let index: HookIndex | undefined;
  const resources = [policies, bindings].map((resource) => ({ group, resource }));
  for (const resource of resources) cluster.watch(resource, cluster.revision(), () => (index = undefined));
  const list = (resource: string): readonly KubernetesObject[] => cluster.list({ group, resource });
  return () => (index ??= indexHooks(collectHooks(list(policies), list(bindings), seed)));
}

/** The previewed request as JSON: verb, resource, user, and the object if it is known. */
export type PreviewOf = (question: JsonValue) => Promise<Result<readonly PreviewStep[]>>;

interface Parts {
  readonly cluster: ClusterView;
  readonly plugins: readonly ChainPlugin[];
  readonly calls: WebhookPluginPorts & {
    readonly expressions: Pick<LazyExpressions, 'load'>;
    readonly staticManifests: StaticManifests;
  };
}

/** With the configurations and policies stored at the time of the call. */
export function createPreview({ cluster, plugins, calls }: Parts): PreviewOf {
  const list = (resource: string) => cluster.list({ group: 'admissionregistration.k8s.io', resource });
  const { staticManifests } = calls;
  const hooks = (kind: 'mutating' | 'validating', plugin: ManifestPlugin) => (): readonly Hook[] => [
    ...staticManifests.hooks(plugin).all,
    ...collectHooks(list(`${kind}admissionpolicies`), list(`${kind}admissionpolicybindings`)),
  ];
  const fixed = (plugin: ManifestPlugin) => collectWebhooks(staticManifests.configurations(plugin));
  const ports: PreviewPorts = {
    ...calls,
    cluster,
    plugins,
    webhooks: {
      mutating: () => [...fixed('MutatingAdmissionWebhook'), ...collectWebhooks(calls.mutatingConfigurations())],
      validating: () => [...fixed('ValidatingAdmissionWebhook'), ...collectWebhooks(calls.validatingConfigurations())],
    },
    hooks: {
      mutating: hooks('mutating', 'MutatingAdmissionPolicy'),
      validating: hooks('validating', 'ValidatingAdmissionPolicy'),
    },
    isFixed: (name) => staticManifests.isOn && name.endsWith(staticSuffix),
  };
  return async (question) => {
    const request = previewRequest(question, calls.catalogue);
    if (!request.ok) return request;
    await calls.expressions.load();
    return ok(await previewChain(request.value, ports));
  };
}
