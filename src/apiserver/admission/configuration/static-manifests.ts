import { fieldErrorText, invalidValue } from '../../../machinery/meta/field-error.ts';
import type { ConfigurationFiles } from './admission-configuration.ts';
import { read, readConfiguration, type ConfigurationReading, unreadable } from './configuration-document.ts';

const field = 'staticManifestsDir';

export function readStaticFolder(folder: string, files: ConfigurationFiles): ConfigurationReading<string> {
  if (folder === '') return read('');
  if (!files.hasStaticManifests) {
    const detail = 'staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled';
    return unreadable(fieldErrorText({ type: 'FieldValueForbidden', field, detail }));
  }
  const wrong = (detail: string): ConfigurationReading<string> =>
    unreadable(fieldErrorText(invalidValue(field, folder, detail)));
  if (!folder.startsWith('/')) return wrong('must be an absolute file path');
  const isFolder = files.isFolder(folder);
  if (!isFolder.ok) return wrong(`unable to read: ${isFolder.error}`);
  return isFolder.value ? read(folder) : wrong('must be a directory');
}

export function readPolicyConfiguration(
  text: string,
  plugin: string,
  files: ConfigurationFiles,
): ConfigurationReading<string> {
  const struct = `${plugin}Configuration`;
  const kind = {
    names: [['apiserver.config.k8s.io/v1', struct]],
    scheme: 'k8s.io/apiserver/pkg/admission/plugin/policy/config/config.go:32',
  } as const;
  const decoded = readConfiguration(text, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', field], '');
    return reader.text(fields, field, { struct, path: '' });
  });
  return decoded.ok ? readStaticFolder(decoded.value, files) : decoded;
}
