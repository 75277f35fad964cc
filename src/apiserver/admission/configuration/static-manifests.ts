import { stringField } from '../../../machinery/meta/decode-fields.ts';
import { fieldErrorText, invalidValue } from '../../../machinery/meta/field-error.ts';
import type { ConfigurationFiles } from './admission-configuration.ts';
import {
  configurationKind,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';

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
  file: string,
  plugin: string,
  files: ConfigurationFiles,
): ConfigurationReading<string> {
  const type = `${plugin}Configuration`;
  const kind = configurationKind({
    names: [['apiserver.config.k8s.io/v1', type]],
    scheme: 'k8s.io/apiserver/pkg/admission/plugin/policy/config/config.go:32',
    struct: { type, fields: { staticManifestsDir: stringField() } },
  });
  const decoded = readConfiguration(file, kind);
  return decoded.ok ? readStaticFolder(decoded.value.staticManifestsDir, files) : decoded;
}
