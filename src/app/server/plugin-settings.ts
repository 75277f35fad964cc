import { admissionPlugins, enabledNames, type PluginFlags } from '../../apiserver/admission/plugins/plugin-order.ts';
import type { PluginSettings } from '../../apiserver/admission/plugins/plugin-settings.ts';
import {
  createStaticManifests,
  type LoadedManifests,
} from '../../apiserver/admission/configuration/manifests/static-manifests.ts';
import { readSettings } from '../../apiserver/admission/configuration/read-settings.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { configurationFiles } from './configuration-files.ts';
import { StartFailure, commandFailed } from '../../adapters/config/config-error.ts';
import type { FeatureGates } from '../../api/types/features/feature-gates.ts';

/** The settings of plugins in flags and --admission-control-config-file. Throws StartFailure. */
export function pluginSettings(
  config: ServerConfig,
  { isOn }: FeatureGates,
): { readonly settings: PluginSettings; readonly manifests: LoadedManifests } {
  const manifests = createStaticManifests();
  const hasStaticManifests = isOn('ManifestBasedAdmissionControlConfig');
  const outside = { ...configurationFiles, hasStaticManifests };
  const reading = readSettings(config.admissionControlConfigFile, enabledNames(pluginFlags(config)), outside);
  if (reading.outcome === 'failed') {
    throw reading.exitCode === 255 ? new StartFailure(reading.error, 255) : commandFailed(reading.error);
  }
  const { defaultNotReadyTolerationSeconds: notReady, defaultUnreachableTolerationSeconds: unreachable } = config;
  const settings = { ...reading.settings, tolerationSeconds: { notReady, unreachable } };
  return { settings: hasStaticManifests ? { ...settings, staticManifests: manifests } : settings, manifests };
}

/** Which plugins run. Follows kubernetes pkg/kubeapiserver/options/admission.go computePluginNames. */
export function pluginFlags(config: ServerConfig): PluginFlags {
  const { admissionControl: only, enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = config;
  if (only.length === 0) return { enable, disable };
  return { enable: only, disable: admissionPlugins.inOrder.filter((name) => !only.includes(name)) };
}
