import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import { collectHooks, type HookIndex, indexHooks } from '../../policies/hooks.ts';
import { type ManifestPlugin, manifestPlugins } from './manifest-plugins.ts';
import type { Manifests } from './load-manifests.ts';

/** The current manifests of all plugins; they run before API-based ones. */
export interface StaticManifests {
  /** Feature gate ManifestBasedAdmissionControlConfig: the API then refuses reserved names. */
  readonly isOn: boolean;
  readonly configurations: (plugin: ManifestPlugin) => readonly KubernetesObject[];
  readonly hooks: (plugin: ManifestPlugin) => HookIndex;
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
