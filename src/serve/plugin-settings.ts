import { dirname, isAbsolute, join } from 'node:path';
import { enabledNames } from '../admission/builtin/plugin-order.ts';
import type { PluginSettings } from '../admission/builtin/plugin-settings.ts';
import { errorText } from '../apimachinery/error-text.ts';
import { readBoundedFile } from '../config/bounded-file.ts';
import type { ConfigurationFiles } from '../admission/settings/admission-configuration.ts';
import { readSettings } from '../admission/settings/read-settings.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { StartFailure, commandFailed } from '../config/start-failure.ts';

/** What the plugins of this server are told by its flags and by --admission-control-config-file. Throws StartFailure. */
export function pluginSettings(config: ServerConfig): PluginSettings {
  const { enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = config;
  const reading = readSettings(config.admissionControlConfigFile, enabledNames({ enable, disable }), files);
  if (reading.outcome === 'failed') {
    throw reading.exitCode === 255 ? new StartFailure(reading.error, 255) : commandFailed(reading.error);
  }
  const { defaultNotReadyTolerationSeconds: notReady, defaultUnreachableTolerationSeconds: unreachable } = config;
  return { ...reading.settings, tolerationSeconds: { notReady, unreachable } };
}

const files: ConfigurationFiles = {
  read: (path) => {
    try {
      return { ok: true, value: readBoundedFile(path) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return { ok: false, error: reasons.get(code) ?? errorText(error) };
    }
  },
  beside: (from, path) => (isAbsolute(path) ? path : join(dirname(from), path)),
  isAbsolute,
};

/** As Go words what the system says. */
const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'is a directory'],
  ['ENOTDIR', 'not a directory'],
]);
