import type { ChainPlugin } from '../../apiserver/admission/chain/create-chain.ts';
import {
  type ManifestPlugin,
  staticSuffix,
  type StaticManifests,
} from '../../apiserver/admission/configuration/manifests/static-manifests.ts';
import { collectHooks, type Hook } from '../../apiserver/admission/policies/hooks.ts';
import {
  previewChain,
  type PreviewPorts,
  previewRequest,
  type PreviewStep,
} from '../../apiserver/admission/chain/preview-chain.ts';
import { collectWebhooks } from '../../apiserver/admission/webhooks/read-webhooks.ts';
import type { WebhookPluginPorts } from '../../apiserver/admission/webhooks/plugins.ts';
import type { LazyExpressions } from '../../apiserver/admission/matching/lazy-expressions.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';

/** preview-request.ts has the fields of the question. */
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
