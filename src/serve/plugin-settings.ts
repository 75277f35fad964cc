import { dirname, isAbsolute, join } from 'node:path';
import { admissionPlugins, enabledNames } from '../admission/builtin/plugin-order.ts';
import type { PluginFlags } from '../admission/builtin/plugin-order.ts';
import type { PluginSettings } from '../admission/builtin/plugin-settings.ts';
import { errorText } from '../apimachinery/error-text.ts';
import { readBoundedFile } from '../config/bounded-file.ts';
import type { ConfigurationFiles } from '../admission/settings/admission-configuration.ts';
import { readSettings } from '../admission/settings/read-settings.ts';
import { goReasons } from '../config/flag-file.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { StartFailure, commandFailed } from '../config/start-failure.ts';

/** What the plugins of this server are told by its flags and by --admission-control-config-file. Throws StartFailure. */
export function pluginSettings(config: ServerConfig): PluginSettings {
  const reading = readSettings(config.admissionControlConfigFile, enabledNames(pluginFlags(config)), files);
  if (reading.outcome === 'failed') {
    throw reading.exitCode === 255 ? new StartFailure(reading.error, 255) : commandFailed(reading.error);
  }
  const { defaultNotReadyTolerationSeconds: notReady, defaultUnreachableTolerationSeconds: unreachable } = config;
  return { ...reading.settings, tolerationSeconds: { notReady, unreachable } };
}

/** Which plugins run. Follows kubernetes pkg/kubeapiserver/options/admission.go computePluginNames. */
export function pluginFlags(config: ServerConfig): PluginFlags {
  const { admissionControl: only, enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = config;
  if (only.length === 0) return { enable, disable };
  return { enable: only, disable: admissionPlugins.inOrder.filter((name) => !only.includes(name)) };
}

const files: ConfigurationFiles = {
  read: (path) => {
    try {
      return { ok: true, value: readBoundedFile(path) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return { ok: false, error: goReasons.get(code) ?? errorText(error) };
    }
  },
  beside: (from, path) => (isAbsolute(path) ? path : join(dirname(from), path)),
  isAbsolute,
};
