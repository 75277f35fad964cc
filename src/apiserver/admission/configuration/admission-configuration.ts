import { anyField, objectsField, stringField } from '../../../machinery/meta/decode-fields.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import {
  configurationKind,
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

const kind = configurationKind({
  names: [
    ['apiserver.config.k8s.io/v1', 'AdmissionConfiguration'],
    ['apiserver.k8s.io/v1alpha1', 'AdmissionConfiguration'],
  ],
  scheme: 'k8s.io/apiserver/pkg/server/options/admission.go:51',
  struct: {
    type: 'AdmissionConfiguration',
    fields: {
      plugins: objectsField({
        type: 'v1.AdmissionPluginConfiguration',
        fields: { name: stringField(), path: stringField(), configuration: anyField },
      }),
    },
  },
});

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
  const decoded = readConfiguration(file.value, kind);
  if (!decoded.ok) return { outcome: 'unreadable', error: decoded.error };
  return {
    outcome: 'read',
    textOf: (name) => {
      const entry = decoded.value.plugins.find((one) => one.name === name);
      const embedded = entry?.configuration ?? undefined;
      if (entry === undefined || entry.path === '')
        return read(embedded === undefined ? undefined : writeJson(embedded));
      const own = files.beside(path, entry.path);
      const found = files.read(own);
      return found.ok ? found : unreadable(own);
    },
  };
}
