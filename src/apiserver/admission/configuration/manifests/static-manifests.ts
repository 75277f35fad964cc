import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import { collectHooks, type HookIndex, indexHooks } from '../../policies/hooks.ts';

/** The current manifests of all plugins; they run before API-based ones. */
export interface StaticManifests {
  /** Feature gate ManifestBasedAdmissionControlConfig: the API then refuses reserved names. */
  readonly isOn: boolean;
  readonly configurations: (plugin: ManifestPlugin) => readonly KubernetesObject[];
  readonly hooks: (plugin: ManifestPlugin) => HookIndex;
}

export interface Manifests {
  readonly objects: readonly KubernetesObject[];
  readonly bindings: readonly KubernetesObject[];
}

export interface LoadedManifests extends StaticManifests {
  readonly replace: (plugin: ManifestPlugin, manifests: Manifests) => void;
}

interface Loaded {
  readonly configurations: readonly KubernetesObject[];
  readonly hooks: HookIndex;
}

const nothing: Loaded = { configurations: [], hooks: indexHooks([]) };

export const noStaticManifests: StaticManifests = {
  isOn: false,
  configurations: () => nothing.configurations,
  hooks: () => nothing.hooks,
};

export function createStaticManifests(): LoadedManifests {
  const loaded = new Map<ManifestPlugin, Loaded>(manifestPlugins.map((plugin) => [plugin, nothing]));
  const of = (plugin: ManifestPlugin): Loaded => loaded.get(plugin) ?? nothing;
  return {
    isOn: true,
    configurations: (plugin) => of(plugin).configurations,
    hooks: (plugin) => of(plugin).hooks,
    replace: (plugin, { objects, bindings }) => {
      loaded.set(
        plugin,
        plugin.endsWith('Policy')
          ? { ...nothing, hooks: indexHooks(collectHooks(objects, bindings)) }
          : { ...nothing, configurations: objects },
      );
    },
  };
}

/** The first kind runs first. */
interface ManifestKinds {
  readonly about: 'policy' | 'webhook';
  readonly kinds: readonly [kind: string, binding?: string];
}

const byPlugin = {
  MutatingAdmissionPolicy: {
    about: 'policy',
    kinds: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  },
  MutatingAdmissionWebhook: { about: 'webhook', kinds: ['MutatingWebhookConfiguration'] },
  ValidatingAdmissionPolicy: {
    about: 'policy',
    kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  },
  ValidatingAdmissionWebhook: { about: 'webhook', kinds: ['ValidatingWebhookConfiguration'] },
} as const satisfies Readonly<Record<string, ManifestKinds>>;

export type ManifestPlugin = keyof typeof byPlugin;

/** In the order of the chain. */
export const manifestPlugins = [
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
] as const satisfies readonly ManifestPlugin[];

export const manifestKindsOf = (plugin: ManifestPlugin): ManifestKinds => byPlugin[plugin];

/** Suffix of all names in manifest files, reserved while the feature is on. */
export const staticSuffix = '.static.k8s.io';
