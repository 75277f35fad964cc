import type { LimitedResource } from '../../quota/charge.ts';
import {
  type ManifestPlugin,
  noStaticManifests,
  type StaticManifests,
} from '../configuration/manifests/static-manifests.ts';
import { type Kubeconfig, noKubeconfig } from '../configuration/kubeconfig.ts';
import type { TolerationSeconds } from './toleration-plugins.ts';
import type { ImagePolicy } from './image-policy-webhook.ts';
import type { EventLimit } from './event-rate-limit.ts';
import type { OwnPlugin } from '../chain/own-plugin.ts';
import type { NodeSelectors } from './pod-node-selector.ts';
import type { PodSecuritySettings } from './pod-security/pod-security.ts';
import { noDefaults } from './pod-security/policy.ts';
import type { PodTolerations } from './pod-toleration-restriction.ts';

/** Settings from flags and --admission-control-config-file. */
export interface PluginSettings {
  readonly tolerationSeconds: TolerationSeconds;
  readonly eventLimits: readonly EventLimit[];
  readonly nodeSelectors: NodeSelectors;
  readonly podSecurity: PodSecuritySettings;
  readonly podTolerations: PodTolerations;
  readonly limitedResources: readonly LimitedResource[];
  readonly mutatingWebhooks: Kubeconfig;
  readonly validatingWebhooks: Kubeconfig;
  readonly staticFolders: ReadonlyMap<ManifestPlugin, string>;
  readonly staticManifests: StaticManifests;
  /** ImagePolicyWebhook does not start without. */
  readonly imagePolicy: ImagePolicy | undefined;
  readonly ownPlugins: readonly OwnPlugin[];
}

const nothing: readonly [] = [];

/** Without flags and files. */
export const defaultSettings: PluginSettings = {
  tolerationSeconds: { notReady: 300, unreachable: 300 },
  eventLimits: [],
  nodeSelectors: new Map(),
  podSecurity: { defaults: noDefaults, exemptions: { usernames: [], namespaces: [], runtimeClasses: [] } },
  podTolerations: { default: nothing, whitelist: nothing },
  limitedResources: [],
  mutatingWebhooks: noKubeconfig,
  validatingWebhooks: noKubeconfig,
  staticFolders: new Map(),
  staticManifests: noStaticManifests,
  imagePolicy: undefined,
  ownPlugins: [],
};
