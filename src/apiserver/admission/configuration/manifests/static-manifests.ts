import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import { collectHooks, indexHooks } from '../../policies/hooks.ts';
import type { HookIndex } from '../../policies/hooks.ts';
import { manifestPlugins } from './manifest-plugins.ts';
import type { ManifestPlugin } from './manifest-plugins.ts';
import type { Manifests } from './load-manifests.ts';

/** What plugins have read from their folders, as it is now. It runs before what comes through the API. */
export interface StaticManifests {
  /** Is the feature gate ManifestBasedAdmissionControlConfig on? Then the API refuses names that files may have. */
  readonly isOn: boolean;
  readonly configurations: (plugin: ManifestPlugin) => readonly KubernetesObject[];
  readonly hooks: (plugin: ManifestPlugin) => HookIndex;
}

/** The same for whoever reads the folders. */
export interface LoadedManifests extends StaticManifests {
  readonly replace: (plugin: ManifestPlugin, manifests: Manifests) => void;
}

interface Loaded {
  readonly configurations: readonly KubernetesObject[];
  readonly hooks: HookIndex;
}

const nothing: Loaded = { configurations: [], hooks: indexHooks([]) };

/** Without the feature. */
export const noStaticManifests: StaticManifests = {
  isOn: false,
  configurations: () => nothing.configurations,
  hooks: () => nothing.hooks,
};

/** With the feature; the folders are empty until they are read. */
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
