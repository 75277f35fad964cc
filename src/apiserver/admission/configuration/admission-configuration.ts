import { writeJson } from '../../../machinery/json/json-writer.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import {
  type ConfigurationKind,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';

export interface ConfigurationFiles {
  /** Text, or Go's error: `no such file or directory`. */
  readonly read: (path: string) => ConfigurationReading<string>;
  /** Resolves `path` against the folder of the file `from`. */
  readonly beside: (from: string, path: string) => string;
  readonly isAbsolute: (path: string) => boolean;
  /** Go's error otherwise: `stat /m: no such file or directory`. */
  readonly isFolder: (path: string) => ConfigurationReading<boolean>;
  /** Feature gate ManifestBasedAdmissionControlConfig. */
  readonly hasStaticManifests: boolean;
}

/** Configurations by plugin name; `fatal`: kube-apiserver exits at once with code 255. */
export type PluginConfigurations =
  | { readonly outcome: 'read'; readonly textOf: (plugin: string) => ConfigurationReading<string | undefined> }
  | { readonly outcome: 'unreadable'; readonly error: string };

const kind: ConfigurationKind = {
  names: [
    ['apiserver.config.k8s.io/v1', 'AdmissionConfiguration'],
    ['apiserver.k8s.io/v1alpha1', 'AdmissionConfiguration'],
  ],
  scheme: 'k8s.io/apiserver/pkg/server/options/admission.go:51',
};

const root = { struct: 'AdmissionConfiguration', path: '' };
const inPlugin = { struct: 'AdmissionPluginConfiguration', path: 'plugins' };

/**
 * Reads --admission-control-config-file. Path wins over inline configuration, the first of two equal names counts.
 * Follows apiserver pkg/admission/config.go.
 */
export function readAdmissionConfiguration(path: string, files: ConfigurationFiles): PluginConfigurations {
  if (path === '') return { outcome: 'read', textOf: () => read(undefined) };
  const file = files.read(path);
  if (!file.ok) {
    const error = `unable to read admission control configuration from ${goQuote(path)} [open ${path}: ${file.error}]`;
    return { outcome: 'unreadable', error };
  }
  const entries = readConfiguration(file.value, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', 'plugins'], '');
    return reader.objects(fields, 'plugins', root, 'v1.AdmissionPluginConfiguration').map((entry, index) => {
      reader.only(entry, ['name', 'path', 'configuration'], `plugins[${index}]`);
      const embedded = entry['configuration'] ?? undefined;
      return {
        name: reader.text(entry, 'name', inPlugin),
        path: reader.text(entry, 'path', inPlugin),
        text: embedded === undefined ? undefined : writeJson(embedded),
      };
    });
  });
  if (!entries.ok) return { outcome: 'unreadable', error: entries.error };
  return {
    outcome: 'read',
    textOf: (plugin) => {
      const entry = entries.value.find(({ name }) => name === plugin);
      if (entry === undefined || entry.path === '') return read(entry?.text);
      const own = files.beside(path, entry.path);
      const found = files.read(own);
      return found.ok ? found : unreadable(own);
    },
  };
}
